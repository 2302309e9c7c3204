import { describe, expect, test } from '@jest/globals';
import { findRedirect } from './find-redirect.ts';
import { compileRedirectAdmission, findPatternProblem } from './redirect-patterns.ts';

const admits = (patterns: readonly string[], uri: string): boolean => compileRedirectAdmission(patterns)(uri);

describe('admission of redirect addresses', () => {
  test.each([
    ['http://localhost:*', 'http://localhost:33418'],
    ['http://localhost:*', 'http://localhost:1/any/path?x=1'],
    ['http://localhost:*/callback', 'http://localhost:8888/callback'],
    ['http://127.0.0.1:*/oauth/callback', 'http://127.0.0.1:3334/oauth/callback'],
    ['http://[::1]:*', 'http://[::1]:4000/cb'],
    ['cursor://*', 'cursor://oauth-callback'],
    ['cursor://*', 'cursor://anysphere.cursor-retrieval/oauth/user-7/callback'],
    ['cursor://*/oauth/*/callback', 'cursor://anysphere.cursor-retrieval/oauth/user-7/callback'],
    ['vscode://*', 'vscode://vscode.mcp/callback'],
    ['https://app.example.com/cb', 'https://app.example.com/cb'],
    ['https://*.example.com/cb', 'https://a.b.example.com/cb'],
    ['https://app.example.com/*', 'https://app.example.com/x/y'],
  ])('%s takes %s', (pattern, uri) => {
    expect(findPatternProblem(pattern)).toBeUndefined();
    expect(admits([pattern], uri)).toBe(true);
  });

  test.each([
    ['http://localhost:*/callback', 'http://localhost:8888/other'],
    ['http://localhost:*', 'http://localhost.evil.com:80/'],
    ['http://localhost:*', 'http://localhost:80@evil.com/'],
    ['http://localhost:*', 'https://localhost:80/'],
    ['http://localhost:*', 'http://evil.com:80/'],
    ['http://localhost:*', 'http://localhost:80/#fragment'],
    ['https://*.example.com/cb', 'https://evil.com/.example.com/cb'],
    ['https://*.example.com/cb', 'https://evil.com?.example.com/cb'],
    ['https://*.example.com/cb', 'https://evil.com#.example.com/cb'],
    ['https://*.example.com/cb', String.raw`https://evil.com\.example.com/cb`],
    ['https://*.example.com/cb', 'https://.example.com/cb'],
    ['https://*.example.com/cb', 'https://example.com/cb'],
    ['https://*.example.com/cb', 'https://user@a.example.com/cb'],
    ['https://app.example.com/*', 'https://app.example.com/../admin'],
    ['https://app.example.com/a/*', 'https://app.example.com/a/%2e%2e/admin'],
    ['https://app.example.com/a/*', 'https://app.example.com/a/..%2fadmin'],
    ['https://app.example.com/cb', 'https://app.example.com:444/cb'],
    ['cursor://*', 'javascript://cursor/%0aalert(1)'],
    ['cursor://*', 'vscode://vscode.mcp/callback'],
    ['cursor://*', 'cursor://host/x y'],
    ['cursor://*', 'cursor://häßlich/x'],
    ['https://app.example.com/*', 'https://app.example.com/*'],
  ])('%s does not take %s', (pattern, uri) => {
    expect(admits([pattern], uri)).toBe(false);
  });

  test.each([
    'javascript://*',
    'data://*',
    'file://*',
    '*://localhost',
    '*',
    'http://*',
    'http://app.example.com/cb',
    'https://*',
    'https://*.com.',
    'https://a*.example.com',
    'https://app.example.com/../cb',
    'ws://localhost:*',
    'javascript:alert(1)',
  ])('the pattern %s is refused', (pattern) => {
    expect(findPatternProblem(pattern)).toEqual(expect.any(String));
    expect(admits([pattern], pattern.replaceAll('*', 'x'))).toBe(false);
  });

  test('without patterns only programs on the own machine are taken', () => {
    expect(admits([], 'http://127.0.0.1:5000/cb')).toBe(true);
    expect(admits([], 'http://localhost/cb')).toBe(true);
    expect(admits([], 'https://app.example.com/cb')).toBe(false);
    expect(admits([], 'cursor://x')).toBe(false);
  });

  test('a pattern with many stars takes linear time', () => {
    const pattern = `https://app.example.com/${'*a'.repeat(500)}`;
    const startedAt = performance.now();
    expect(admits([pattern], `https://app.example.com/${'a'.repeat(400)}b`)).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(200);
  });
});

describe('the address that a code goes to', () => {
  const registered = ['http://localhost:8888/callback', 'cursor://oauth-callback', 'https://app.example.com:444/cb'];
  test.each(['http://localhost:8888/callback', 'http://localhost:5123/callback', 'http://localhost/callback'])(
    '%s is the registered one, on the port that was free',
    (uri) => expect(findRedirect(registered, uri)).toBe(uri),
  );
  test.each([
    'http://127.0.0.1:8888/callback',
    'http://localhost:8888/callback/',
    'http://localhost:8888/callback?x=1',
    'http://localhost:8888/Callback',
    'http://localhost:8888@evil.com/callback',
    'http://LOCALHOST:8888/callback',
    'https://localhost:8888/callback',
    'https://app.example.com:445/cb',
    'cursor://oauth-callback/',
    '',
  ])('%s is another one', (uri) => expect(findRedirect(registered, uri)).toBeUndefined());
});
