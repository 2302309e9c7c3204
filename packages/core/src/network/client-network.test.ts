import { expect, test } from '@jest/globals';
import { clientNetworkOf } from './client-network.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '::ffff:192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:0db8:0001:0002::/64'],
  ['2001:db8:1:2::1', '2001:0db8:0001:0002::/64'],
  ['2001:DB8:1:2:ffff::', '2001:0db8:0001:0002::/64'],
  ['2001:db8:1:3::1', '2001:0db8:0001:0003::/64'],
  ['fe80::1%eth0', 'fe80:0000:0000:0000::/64'],
  ['::1', '0000:0000:0000:0000::/64'],
  ['', ''],
  ['not:an:address', 'not:an:address'],
])('%s is counted as %s', (address, expected) => expect(clientNetworkOf(address)).toBe(expected));
