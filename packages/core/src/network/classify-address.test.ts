import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { classifyAddress, isAddressAllowed, type AddressClass } from './classify-address.ts';

const table: readonly (readonly [AddressClass, readonly string[]])[] = [
  ['public', ['1.1.1.1', '9.255.255.255', '11.0.0.0', '172.15.255.255', '172.32.0.0', '192.169.0.0', '100.63.255.255']],
  ['public', ['100.128.0.0', '223.255.255.255', '2606:4700:4700::1111', '2001:4860:4860::8888', '3ffe::1']],
  [
    'private',
    ['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.1', '100.64.0.0', '100.127.255.255'],
  ],
  ['private', ['fc00::', 'fd12:3456:789a::1', 'fdff:ffff::', 'fec0::1']],
  ['loopback', ['127.0.0.1', '127.255.255.255', '0.0.0.0', '::1', '::']],
  ['link-local', ['169.254.0.1', '169.254.255.255', 'fe80::1', 'febf::1', 'fe80::1%eth0']],
  [
    'metadata',
    ['169.254.169.254', '169.254.170.2', '169.254.170.23', '100.100.100.200', '168.63.129.16', '192.0.0.192'],
  ],
  ['metadata', ['fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254', 'fd00:42::42']],
  [
    'reserved',
    ['0.0.0.1', '192.0.0.1', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1'],
  ],
  [
    'reserved',
    ['255.255.255.255', '::2', '::7f00:1', '100::1', '2001::1', '2001:db8::1', '3fff::1', 'ff02::1', '64:ff9b:1::1'],
  ],
  ['reserved', ['', 'not an address', '127.1', '0x7f000001']],
];

describe('classifyAddress', () => {
  test.each(table.flatMap(([addressClass, addresses]) => addresses.map((address) => [address, addressClass] as const)))(
    '%j is %s',
    (address, addressClass) => {
      expect(classifyAddress(address)).toBe(addressClass);
    },
  );

  test('an IPv4 address keeps its class behind every IPv6 spelling that reaches it', () => {
    const known = table.flatMap(([, addresses]) => addresses).filter((address) => /^\d+(\.\d+){3}$/.test(address));
    const anyIpv4 = fc.oneof(fc.constantFrom(...known), fc.ipV4());
    fc.assert(
      fc.property(anyIpv4, (ipv4) => {
        const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number);
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
        const spellings = [`::ffff:${ipv4}`, `::ffff:${hex}`, `64:ff9b::${ipv4}`, `64:ff9b::${hex}`, `2002:${hex}::1`];
        for (const spelling of spellings)
          expect([spelling, classifyAddress(spelling)]).toEqual([spelling, classifyAddress(ipv4)]);
      }),
    );
  });
});

test.each([
  ['public', true, true],
  ['private', false, true],
  ['loopback', false, true],
  ['link-local', false, false],
  ['metadata', false, false],
  ['reserved', false, false],
] as const)('%s is allowed: %s, with private targets on: %s', (addressClass, strictly, withPrivate) => {
  expect(isAddressAllowed(addressClass, false)).toBe(strictly);
  expect(isAddressAllowed(addressClass, true)).toBe(withPrivate);
});
