import { expect, test } from '@jest/globals';
import { createHostRule } from './allowed-hosts.ts';

const allows = createHostRule(['Gateway.example.com']);

test.each([
  ['gateway.example.com', true],
  ['GATEWAY.EXAMPLE.COM:8443', true],
  ['localhost:8080', true],
  ['app.localhost', true],
  ['127.0.0.1:8080', true],
  ['[::1]:8080', true],
  ['10.1.2.3', true],
  ['portcullis:8080', true],
  ['evil.example.com', false],
  ['gateway.example.com.evil.test', false],
  ['127.0.0.1.evil.test', false],
  ['localhost.evil.test:80', false],
  ['evil.test@localhost', false],
  ['localhost/evil.test', false],
  ['', false],
])('%j is a name of the gateway: %p', (host, expected) => {
  expect(allows(host)).toBe(expected);
});

test('a request without a host is refused', () => {
  expect(allows(undefined)).toBe(false);
});
