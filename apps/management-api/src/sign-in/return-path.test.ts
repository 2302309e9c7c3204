import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkReturnPathOrThrow, renderReturnAddress } from './return-path.ts';

const callback = new URL('https://gateway.example/api/v1/auth/oauth/callback/Staff');
const below = new URL('https://shared.example/gate/api/v1/oauth/callback');
const check = (path: string, at = callback) => checkReturnPathOrThrow(path, at, '/query/return_to');

describe('where a browser goes on that signed in', () => {
  test.each(['/console/', '/console/alerts/5?tab=evidence#top', '/', '/api/v1/docs', '/console/search?q=a%2Fb//c'])(
    'is %j',
    (path) => {
      expect(check(path)).toBe(path);
      expect(renderReturnAddress(path, callback)).toBe(`https://gateway.example${path}`);
    },
  );

  test.each([
    '',
    'console/',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/..//evil.example',
    '/.//evil.example',
    '/console//evil.example',
    '/%2f/evil.example',
    '/%5cevil.example',
    '/console/%2e%2e/',
    '/console/../..',
    '/%09/evil.example',
    '/\u3000/evil.example',
    '/\u2028/evil.example',
    'https://evil.example/',
    'https:evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    '@evil.example',
    '.evil.example',
    ':8443/',
    '/console\r\nSet-Cookie: a=b',
    '/console/?next=\r\nLocation: https://evil.example',
  ])('is never %j', (path) => {
    expect(() => check(path)).toThrow('Invalid request');
    expect(renderReturnAddress(path, callback)).toBe('https://gateway.example/console/');
  });

  test('lies below the path of a gateway that shares its host', () => {
    expect(check('/gate/console/alerts/5', below)).toBe('/gate/console/alerts/5');
    for (const path of ['/console/', '/gateway/', '/gate', '/gate/../other', '/gate/%2e%2e/other', '/other']) {
      expect(() => check(path, below)).toThrow('Invalid request');
    }
    expect(renderReturnAddress(null, below)).toBe('https://shared.example/gate/console/');
  });

  test('is on this gateway, whatever is asked for', () => {
    const pieces = [
      '/',
      '\\',
      '.',
      '..',
      '%2f',
      '%2e',
      '%5c',
      '@',
      ':',
      '?',
      '#',
      '\t',
      '\n',
      'evil.example',
      'https:',
      'a',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 8 }), (some) => {
        const address = renderReturnAddress(some.join(''), below);
        expect(address.startsWith('https://shared.example/gate/')).toBe(true);
        expect(new URL(address).href).toBe(address);
      }),
      { numRuns: 2_000 },
    );
  });
});
