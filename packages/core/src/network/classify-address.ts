import { ipv4Address, parseIpAddress, type IpAddress } from './ip-address.ts';

/**
 * What a connection to an address would reach. `metadata` is the credential service of a cloud
 * machine; `reserved` is everything that is neither a host nor known to be one.
 */
export type AddressClass = 'public' | 'private' | 'loopback' | 'link-local' | 'metadata' | 'reserved';

interface Range {
  readonly network: IpAddress;
  readonly hostBits: bigint;
  readonly addressClass: AddressClass;
}

const range = (cidr: string, addressClass: AddressClass): Range => {
  const [text = '', length = ''] = cidr.split('/');
  const network = parseIpAddress(text);
  if (network === undefined) throw new Error(`Not a network: ${cidr}`);
  const hostBits = BigInt((text.includes(':') ? 128 : 32) - Number(length));
  return { network: network >> hostBits, hostBits, addressClass };
};

/**
 * The first row that holds an address decides. From the IANA special-purpose registries, with the
 * clouds' documented credential services above the ranges they hide in.
 */
const ranges: readonly Range[] = [
  range('169.254.169.254/32', 'metadata'), // AWS, Azure, Google, Oracle, DigitalOcean and others
  range('169.254.170.0/24', 'metadata'), // AWS container and pod credentials
  range('100.100.100.200/32', 'metadata'), // Alibaba
  range('168.63.129.16/32', 'metadata'), // Azure's host agent
  range('192.0.0.192/32', 'metadata'), // Oracle's older address
  range('fd00:ec2::/32', 'metadata'), // AWS
  range('fd20:ce::254/128', 'metadata'), // Google
  range('fd00:42::42/128', 'metadata'), // Scaleway

  // 0.0.0.0 and :: connect to this machine.
  range('0.0.0.0/32', 'loopback'),
  range('127.0.0.0/8', 'loopback'),
  range('::/127', 'loopback'),

  range('169.254.0.0/16', 'link-local'),
  range('fe80::/10', 'link-local'),

  range('10.0.0.0/8', 'private'),
  range('172.16.0.0/12', 'private'),
  range('192.168.0.0/16', 'private'),
  range('100.64.0.0/10', 'private'), // shared by carriers, and by overlay networks
  range('fc00::/7', 'private'),
  range('fec0::/10', 'private'), // site-local, deprecated but routed where it is still used

  range('0.0.0.0/8', 'reserved'),
  range('192.0.0.0/24', 'reserved'),
  range('192.0.2.0/24', 'reserved'), // documentation
  range('192.88.99.0/24', 'reserved'), // 6to4 relays
  range('198.18.0.0/15', 'reserved'), // benchmarks
  range('198.51.100.0/24', 'reserved'), // documentation
  range('203.0.113.0/24', 'reserved'), // documentation
  range('224.0.0.0/3', 'reserved'), // multicast, future use, broadcast
  range('0.0.0.0/0', 'public'),

  range('2001::/23', 'reserved'), // protocol assignments, Teredo among them
  range('2001:db8::/32', 'reserved'), // documentation
  range('3fff::/20', 'reserved'), // documentation
  range('2000::/3', 'public'),
];

const nat64Prefix = 0x0064_ff9b_0000_0000_0000_0000n;
const sixToFourPrefix = 0x2002n;

/** Classifies an address given as text. What cannot be read is `reserved`, which is never allowed. */
export function classifyAddress(text: string): AddressClass {
  const reached = effectiveAddress(text);
  if (reached === undefined) return 'reserved';
  return ranges.find(({ network, hostBits }) => reached >> hostBits === network)?.addressClass ?? 'reserved';
}

/** Whether a connection may go to an address of this class. Metadata, link-local and reserved ones never. */
export const isAddressAllowed = (addressClass: AddressClass, allowPrivate: boolean): boolean =>
  addressClass === 'public' || (allowPrivate && (addressClass === 'private' || addressClass === 'loopback'));

/** The address that a connection to this one comes to; undefined when it cannot be read. */
export function effectiveAddress(text: string): IpAddress | undefined {
  const address = parseIpAddress(text);
  return address === undefined ? undefined : (embeddedIpv4(address) ?? address);
}

/** The IPv4 host that a translator reaches behind this IPv6 address: NAT64 (RFC 6052) and 6to4 (RFC 3056). */
function embeddedIpv4(address: IpAddress): IpAddress | undefined {
  if (address >> 32n === nat64Prefix) return ipv4Address(address & 0xffff_ffffn);
  if (address >> 112n === sixToFourPrefix) return ipv4Address((address >> 80n) & 0xffff_ffffn);
  return undefined;
}
