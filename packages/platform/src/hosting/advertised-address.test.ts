import { expect, test } from '@jest/globals';
import type { NetworkInterfaceInfo } from 'node:os';
import { firstAddress, advertisedAddress } from './advertised-address.ts';

test.each([
  [{ ADVERTISE_HOST: 'hub-1', HOST: '0.0.0.0' }, true, 'https://hub-1:8080'],
  [{ ADVERTISE_HOST: undefined, HOST: '127.0.0.1' }, false, 'http://127.0.0.1:8080'],
  [{ ADVERTISE_HOST: undefined, HOST: 'fd00::7' }, false, 'http://[fd00::7]:8080'],
])('%j, with TLS: %j, is reached at %s', (config, speaksTls, address) => {
  expect(advertisedAddress(config, { port: 8080, speaksTls })).toBe(address);
});

const address = (address: string, internal = false) =>
  ({ address, internal, family: address.includes(':') ? 'IPv6' : 'IPv4' }) as NetworkInterfaceInfo;

test.each([
  [[[address('127.0.0.1', true)], [address('fe80::1'), address('fd00::7'), address('10.0.0.7')]], '10.0.0.7'],
  [[[address('127.0.0.1', true)], [address('fe80::1'), address('fd00::7')]], 'fd00::7'],
  [[[address('127.0.0.1', true), address('::1', true)]], '127.0.0.1'],
])('of several addresses the one that others see is told', (interfaces, told) => {
  expect(firstAddress(Object.fromEntries(interfaces.map((list, index) => [`link${index}`, list])))).toBe(told);
});
