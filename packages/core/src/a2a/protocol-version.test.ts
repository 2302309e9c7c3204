import { expect, test } from '@jest/globals';
import { isSupportedVersion, rankInterfaces, readsCurrentCards, versionHeaders } from './protocol-version.ts';

const one = (protocolBinding: string, protocolVersion: string, url = 'https://a.example') => ({
  url,
  protocolBinding,
  protocolVersion,
});

test('the best interface comes first, and those that cannot be called not at all', () => {
  const supportedInterfaces = [
    one('GRPC', '1.0'),
    one('HTTP+JSON', '0.3'),
    one('HTTP+JSON', '0.2'),
    one('JSONRPC', '0.2'),
    one('JSONRPC', '0.3'),
    one('HTTP+JSON', '1.0'),
    one('JSONRPC', '1.1', 'https://first.example'),
    one('JSONRPC', '1.0', 'https://second.example'),
    one('JSONRPC', '2.0'),
    one('https://binding.example', '1.0'),
  ];
  expect(rankInterfaces({ supportedInterfaces }).map(({ binding, version, url }) => [binding, version, url])).toEqual([
    ['JSONRPC', '1.0', 'https://first.example'],
    ['JSONRPC', '1.0', 'https://second.example'],
    ['HTTP+JSON', '1.0', 'https://a.example'],
    ['JSONRPC', '0.3', 'https://a.example'],
    ['JSONRPC', '0.2', 'https://a.example'],
    ['HTTP+JSON', '0.3', 'https://a.example'],
  ]);
});

test('the tenant of an interface is kept', () => {
  const [route] = rankInterfaces({ supportedInterfaces: [{ ...one('JSONRPC', '1.0'), tenant: 't' }] });
  expect(route).toEqual({ url: 'https://a.example', binding: 'JSONRPC', version: '1.0', tenant: 't' });
});

test.each([
  ['1.0', { 'a2a-version': '1.0', 'a2a-extensions': 'u, v' }],
  ['0.3', { 'a2a-version': '0.3', 'x-a2a-extensions': 'u, v' }],
  ['0.2', {}],
] as const)('requests of %s are known by %j', (version, headers) => {
  expect(versionHeaders(version, ['u', 'v'])).toEqual(headers);
});

test.each([
  [undefined, true],
  ['', true],
  ['1.0', true],
  ['1.0.1', true],
  ['0.3', true],
  ['0.3.0', true],
  ['1.1', false],
  ['0.2', false],
  ['2', false],
  ['1.0, 0.3', false],
])('a caller of version %p is understood: %p', (header, expected) => {
  expect(isSupportedVersion(header)).toBe(expected);
});

test.each([
  [undefined, false],
  ['0.3', false],
  ['1.0', true],
  ['1.0.2', true],
])('a caller of version %p reads cards of 1.0 only: %p', (header, expected) => {
  expect(readsCurrentCards(header)).toBe(expected);
});
