import { expect, test } from '@jest/globals';
import { findClientKey, findPresentedKey, hashKey, withoutKey } from './presented-key.ts';

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

test.each([
  [{ 'x-api-key': 'a', 'x-goog-api-key': 'b' }, '?key=c', { token: 'a', header: 'x-api-key' }],
  [{ authorization: 'Bearer a', 'api-key': 'b' }, '', { token: 'a', header: 'authorization' }],
  [{ 'x-goog-api-key': 'a', 'api-key': 'b' }, '?key=c', { token: 'a', header: 'x-goog-api-key' }],
  [{ 'api-key': 'b' }, '?key=c', { token: 'b', header: 'api-key' }],
  [{}, '?alt=sse&key=a%2Bb', { token: 'a+b', header: 'query' }],
  [{}, '?key=', undefined],
  [{}, '', undefined],
] as const)('a client of an LLM API with %j and %j presents %j', (headers, query, expected) => {
  expect(findClientKey(headers, query)).toEqual(expected);
});

test.each([
  ['?key=gw_1', ''],
  ['?a=%20&key=gw_1&b', '?a=%20&b'],
  ['?key=theirs&x=gw%5f1&y=z', '?key=theirs&y=z'],
  ['?key=gw_12', '?key=gw_12'],
  ['', ''],
])('the query %j without the key is %j', (query, expected) => expect(withoutKey(query, 'gw_1')).toBe(expected));

test('the hash is the SHA-256 of the whole token in hex', () => {
  expect(hashKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
