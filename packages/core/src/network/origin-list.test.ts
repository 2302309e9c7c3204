import { expect, test } from '@jest/globals';
import { compileOriginList } from './origin-list.ts';

const allows = compileOriginList(['http://localhost:*', 'http://[::1]:*', 'vscode-webview://*', 'https://App.example']);

test.each([
  'http://localhost',
  'http://localhost:3000',
  'HTTP://LOCALHOST:1',
  'http://[::1]:8080',
  'vscode-webview://0a1b2c',
  'https://app.example',
])('%s is on the list', (origin) => {
  expect(allows(origin)).toBe(true);
});

test.each([
  '',
  'null',
  '*',
  'https://localhost:3000',
  'http://localhost.evil.example',
  'http://localhost:3000.evil.example',
  'http://localhost:80@evil.example',
  'http://user@localhost',
  'http://localhost:3000/',
  'http://localhost:3000, http://evil.example',
  'http://evil.example#http://localhost',
  'http://[::1].evil.example',
  'https://app.example:444',
  'http://app.example',
  'vscode-webview:0a1b2c',
  'vscode-webview://a/b',
  'xvscode-webview://a',
])('%s is not', (origin) => {
  expect(allows(origin)).toBe(false);
});

test('everything and nothing can be listed', () => {
  expect(compileOriginList(['*'])('http://evil.example')).toBe(true);
  expect(compileOriginList(['null'])('null')).toBe(true);
  expect(compileOriginList([])('http://localhost')).toBe(false);
});
