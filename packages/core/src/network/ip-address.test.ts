import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { parseIpAddress } from './ip-address.ts';

describe('parseIpAddress', () => {
  test.each([
    ['0.0.0.0', 0xffff_0000_0000n],
    ['127.0.0.1', 0xffff_7f00_0001n],
    ['255.255.255.255', 0xffff_ffff_ffffn],
    ['::', 0n],
    ['0000:0000:0000:0000:0000:ffff:255.255.255.255', 0xffff_ffff_ffffn],
    ['::1', 1n],
    ['[::1]', 1n],
    ['fe80::1%eth0', (0xfe80n << 112n) | 1n],
    ['1:2:3:4:5:6:7:8', 0x0001_0002_0003_0004_0005_0006_0007_0008n],
    ['1::', 1n << 112n],
    ['::ffff:127.0.0.1', 0xffff_7f00_0001n],
    ['::FFFF:7F00:1', 0xffff_7f00_0001n],
    ['64:ff9b::10.0.0.1', (0x64n << 112n) | (0xff9bn << 96n) | 0x0a00_0001n],
  ])('reads %s', (text, bits) => {
    expect(parseIpAddress(text)).toBe(bits);
  });

  test.each([
    '',
    'localhost',
    '1.2.3',
    '1.2.3.4.5',
    '.'.repeat(100_000),
    `::${':0'.repeat(100_000)}`,
    '256.0.0.1',
    '01.2.3.4',
    '0x7f.0.0.1',
    '1.2.3.4:80',
    ' 1.2.3.4',
    ':',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7::8',
    '12345::',
    'g::',
    '::1.2.3',
    '1.2.3.4::',
  ])('refuses %j', (text) => {
    expect(parseIpAddress(text)).toBeUndefined();
  });

  test('agrees with the URL parser on every IPv6 address', () => {
    const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff })).map((value) => value.toString(16));
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
        const written = groups.join(':');
        const compressed = new URL(`http://[${written}]`).hostname;
        expect(parseIpAddress(compressed)).toBe(parseIpAddress(written));
        expect(parseIpAddress(written)).toBe(BigInt(`0x${groups.map((text) => text.padStart(4, '0')).join('')}`));
      }),
    );
  });
});
