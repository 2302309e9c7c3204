import { describe, expect, test } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { createClientAddress, parseAddressRange } from './client-address.ts';

const request = (peer: string | undefined, forwardedFor?: string) =>
  ({
    socket: { remoteAddress: peer },
    headers: { ...(forwardedFor !== undefined && { 'x-forwarded-for': forwardedFor }) },
  }) as unknown as IncomingMessage;

const behind = createClientAddress(['10.0.0.0/8', '192.0.2.7', 'fd00::/8']);

test('no proxy is trusted unless it is named', () => {
  expect(createClientAddress([])(request('10.0.0.1', '203.0.113.9'))).toBe('10.0.0.1');
});

test.each([
  ['a client that comes directly', '198.51.100.1', undefined, '198.51.100.1'],
  ['a stranger who claims to be another client', '198.51.100.1', '203.0.113.9', '198.51.100.1'],
  ['a client behind the proxy', '10.1.2.3', '203.0.113.9', '203.0.113.9'],
  ['a client behind two proxies', '10.1.2.3', '203.0.113.9, 192.0.2.7', '203.0.113.9'],
  ['a client that wrote a header before the proxy did', '10.1.2.3', '127.0.0.1, 203.0.113.9', '203.0.113.9'],
  ['one that wrote a trusted address there', '10.1.2.3', '10.9.9.9, 203.0.113.9, 10.1.1.1', '203.0.113.9'],
  ['one that wrote nonsense there', '10.1.2.3', 'nonsense, 203.0.113.9', '203.0.113.9'],
  ['nonsense where an address must be', '10.1.2.3', '203.0.113.9, unknown', '10.1.2.3'],
  ['a proxy that asks for itself', '10.1.2.3', undefined, '10.1.2.3'],
  ['an empty header', '10.1.2.3', '', '10.1.2.3'],
  ['nothing but proxies', '10.1.2.3', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
  ['a proxy on an IPv6 socket', '::ffff:10.1.2.3', '203.0.113.9', '203.0.113.9'],
  ['an IPv4 client on an IPv6 socket', '::ffff:198.51.100.1', '203.0.113.9', '198.51.100.1'],
  ['an IPv6 proxy and client', 'fd00::1', '2001:db8::9', '2001:db8::9'],
  ['an address with its port', '10.1.2.3', '203.0.113.9:4711', '203.0.113.9'],
  ['an IPv6 address with its port', '10.1.2.3', '[2001:db8::9]:4711', '2001:db8::9'],
  ['a connection that is gone', undefined, '203.0.113.9', ''],
])('%s', (_what, peer, header, expected) => {
  expect(behind(request(peer, header))).toBe(expected);
});

test('reads no more of a long chain than it needs', () => {
  const address = behind(request('10.1.2.3', `203.0.113.9,${'10.0.0.1,'.repeat(5_000)}10.0.0.2`));
  expect(address).toBe('10.0.0.1');
});

describe('ranges', () => {
  test.each(['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8'])('%s is one', (text) => {
    expect(() => parseAddressRange(text)).not.toThrow();
  });
  test.each(['', 'proxy.example', '10.0.0.0/33', 'fd00::/129', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/-1', '10.0/8'])(
    '%p is none',
    (text) => {
      expect(() => parseAddressRange(text)).toThrow('must be addresses and ranges such as 10.0.0.0/8');
    },
  );
  test.each(['0.0.0.0/0', '::/0'])('%s would trust every client', (text) => {
    expect(() => parseAddressRange(text)).toThrow('must not be every address');
  });
});
