import { describe, expect, test } from '@jest/globals';
import { parseTarget } from './parse-target.ts';

const parse = (url: string, ...hosts: string[]) =>
  parseTarget({
    url,
    headers: { ...(hosts[0] !== undefined && { host: hosts[0] }) },
    rawHeaders: hosts.flatMap((host) => ['Host', host]),
  });

describe('what a request asks for', () => {
  test.each([
    ['/', '/'],
    ['*', '*'],
    ['/a/b?c=/d/../e\\f', '/a/b?c=/d/../e\\f'],
    ['/a//b', '/a//b'],
    ['/a;b=c/d%2Fe%2e%2e%2fd%5C', '/a;b=c/d%2Fe%2e%2e%2fd%5C'],
    ['/...a/.well-known/b..', '/...a/.well-known/b..'],
    ['/größe?ä', '/gr%F6%DFe?%E4'],
    ['http://gateway.example', '/'],
    ['http://gateway.example?x', '/?x'],
    ['HTTPS://gateway.example:8080/a?x=http://b', '/a?x=http://b'],
  ])('%s is %s', (url, target) => {
    expect(parse(url, 'gateway.example')).toMatchObject({ url: target });
  });

  test.each([
    '/a#b',
    '/a?b#c',
    '/a\\b',
    '/a b',
    '/a\tb',
    '/a?b\fc',
    '//a',
    '//gateway.example/a',
    '/.',
    '/..',
    '/a/./b',
    '/a/../b',
    '/a/%2e%2E/b',
    '/a/.%2e',
    '/a/..%2fb',
    '/a/%2E%2e%2Fb',
    '/a/b%2f..%2fc',
    '/a/b%5C..%5cc',
    '/a/b%2f..',
    'http://gateway.example/a/../b',
    'http://gateway.example\\a',
    'http://gateway.example//a',
    'http://gateway.example#/a',
  ])('%j has no path that everybody reads alike', (url) => {
    expect(parse(url, 'gateway.example')).toEqual({ problem: expect.stringContaining('The path must not') });
  });

  test.each(['', 'a', 'ftp://gateway.example/a', 'javascript://gateway.example/a', 'http:/a', 'http:\\\\a', '**'])(
    '%j is none',
    (url) => {
      expect(parse(url, 'gateway.example')).toEqual({ problem: expect.stringContaining('The request line must') });
    },
  );
});

describe('the host that a client called', () => {
  test.each(['', 'gateway', 'gateway.example:8080', 'my_service', '10.0.0.1:1', '[::1]:8080', 'a.example.'])(
    'may be %j',
    (host) => {
      expect(parse('/', host)).toEqual({ url: '/', host });
    },
  );

  test.each([
    '/',
    '#',
    '@',
    '?',
    '\\',
    '%00',
    'a/b',
    'a#b',
    'user@a',
    'a\\b',
    'a?b',
    'a%00',
    'a,b',
    'a:b',
    'a b',
    '::1',
  ])('is not %j', (host) => {
    const refused = { problem: expect.stringContaining('The header Host') };
    expect(parse('/', host)).toEqual(refused);
    expect(parse('*', host)).toEqual(refused);
    expect(parse(`http://${host.replaceAll(/[/?#\\]/g, '@')}/a`, 'a')).toEqual(refused);
  });

  test('is one, and that of a whole address comes first', () => {
    expect(parse('/', 'a', 'a')).toEqual({ problem: expect.stringContaining('one host') });
    expect(parse('http://b:1/', 'a')).toEqual({ url: '/', host: 'b:1' });
    expect(parse('/')).toEqual({ url: '/', host: undefined });
  });
});
