import { expect, test } from '@jest/globals';
import { findPresentedKey, hashKey } from './presented-key.ts';

test.each([
  [{}, undefined],
  [{ 'x-api-key': 'a' }, { token: 'a', header: 'x-api-key' }],
  [
    { 'x-api-key': 'a', authorization: 'Bearer b' },
    { token: 'a', header: 'x-api-key' },
  ],
  [
    { 'x-api-key': '', authorization: 'Bearer b' },
    { token: 'b', header: 'authorization' },
  ],
  [{ authorization: 'bearer b' }, { token: 'b', header: 'authorization' }],
  [{ authorization: 'ApiKey c' }, { token: 'c', header: 'authorization' }],
  [{ authorization: 'Basic dTpw' }, undefined],
  [{ authorization: 'Bearer' }, undefined],
  [{ authorization: 'Bearer a b' }, undefined],
] as const)('%j presents %j', (headers, expected) => {
  expect(findPresentedKey(headers)).toEqual(expected);
});

test('the hash is the SHA-256 of the whole token in hex', () => {
  expect(hashKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
