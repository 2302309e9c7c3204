import { parseIpAddress } from './ip-address.ts';

const mappedPrefix = 0xffffn;
const keptBits = 64n;

/**
 * Who is counted as one client, by its address: an IPv4 address as it is, and of an IPv6 address the network of 64 bits, which is
 * the least that a site is given and from which it can send by as many addresses as it likes.
 */
export function clientNetworkOf(address: string): string {
  if (!address.includes(':')) return address;
  const bits = parseIpAddress(address);
  if (bits === undefined || bits >> 32n === mappedPrefix) return address;
  const network = (bits >> keptBits).toString(16).padStart(16, '0');
  return `${network.match(/.{4}/g)?.join(':')}::/64`;
}
