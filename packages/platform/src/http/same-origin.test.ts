import { expect, test } from '@jest/globals';
import { isSameOrigin } from './same-origin.ts';

test.each([
  ['https://a.example/v1', 'https://a.example/v2?x=1', true],
  ['https://a.example', 'HTTPS://A.example:443/', true],
  ['http://0x7f000001/', 'http://127.0.0.1', true],
  ['http://[::1]:80', 'http://[0:0:0:0:0:0:0:1]', true],
  [undefined, undefined, true],
  ['https://a.example', 'http://a.example', false],
  ['http://a.example:443', 'https://a.example:443', false],
  ['https://a.example', 'https://a.example:8443', false],
  ['https://a.example', 'https://b.a.example', false],
  ['https://a.example', 'https://a.example.', false],
  ['https://a.example', 'https://a.example@b.example', false],
  ['https://a.example', 'https://b.example/https://a.example', false],
  ['https://a.example', undefined, false],
  ['https://a.example', 'no address', false],
])('of %s and %s: %s', (one, other, same) => {
  expect([isSameOrigin(one, other), isSameOrigin(other, one)]).toEqual([same, same]);
});
