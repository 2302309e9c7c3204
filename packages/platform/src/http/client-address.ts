import type { IncomingMessage } from 'node:http';
import type { EdgeSeal } from './edge-seal.ts';
import { BlockList, isIP, type Socket } from 'node:net';

/** Tells from which address a request comes; empty when its connection is gone. */
export type ClientAddress = (request: IncomingMessage) => string;

/** Far more than any chain of proxies: no client shall make us read on. */
const maxHops = 16;

/**
 * The peer is the client, unless it is a trusted proxy. Then it is the right-most address in
 * `X-Forwarded-For` that is not one itself: every proxy adds its own peer on the right, and what
 * stands left of the first stranger anybody may have written.
 * @param trusted addresses and ranges, as `parseAddressRange` takes them
 * @param seal of the process with the public edge, which knows the client wherever it connects from itself
 */
export function createClientAddress(trusted: readonly string[], seal?: EdgeSeal): ClientAddress {
  const findClient = createTrustedAddress(trusted);
  if (seal === undefined) return findClient;
  return (request) => (seal.isGenuine(request.headers) ? (forwardedFor(request) ?? '') : findClient(request));
}

function createTrustedAddress(trusted: readonly string[]): ClientAddress {
  if (trusted.length === 0) return peerOf;
  const proxies = new BlockList();
  for (const text of trusted) {
    const { address, family, prefix } = parseAddressRange(text);
    proxies.addSubnet(address, prefix, family);
  }
  const isProxy = (address: string): boolean => proxies.check(address, familyOf(address));

  return (request) => {
    let address = peerOf(request);
    let rest = forwardedFor(request);
    for (let hop = 0; hop < maxHops && rest !== undefined && address !== '' && isProxy(address); hop += 1) {
      const comma = rest.lastIndexOf(',');
      const before = parseForwarded(rest.slice(comma + 1).trim());
      // Not an address: the last one that we know for sure sent it.
      if (before === undefined) return address;
      address = before;
      rest = comma === -1 ? undefined : rest.slice(0, comma);
    }
    return address;
  };
}

interface AddressRange {
  readonly address: string;
  readonly family: 'ipv4' | 'ipv6';
  /** Bits that all addresses of the range have in common. */
  readonly prefix: number;
}

/** Parses `10.0.0.1`, `10.0.0.0/8` or `fd00::/8`. @throws {Error} saying what it must be */
export function parseAddressRange(text: string): AddressRange {
  const [address = '', length, ...more] = text.split('/');
  const bits = isIP(address) === 4 ? 32 : 128;
  const prefix = length === undefined ? bits : Number(length);
  const wellFormed = isIP(address) !== 0 && more.length === 0 && (length === undefined || /^\d{1,3}$/.test(length));
  if (!wellFormed || prefix > bits) {
    throw new Error(`must be addresses and ranges such as 10.0.0.0/8, got ${JSON.stringify(text)}`);
  }
  if (prefix === 0) throw new Error(`must not be every address, got ${JSON.stringify(text)}`);
  return { address, family: familyOf(address), prefix };
}

const familyOf = (address: string) => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

const peerOf = ({ socket }: IncomingMessage): string => peerAddressOf(socket);

/** The other end of a connection; empty when it is gone. */
export const peerAddressOf = ({ remoteAddress }: Pick<Socket, 'remoteAddress'>): string => unmap(remoteAddress ?? '');

/** An IPv4 client looks alike on an IPv4 and on an IPv6 socket. */
const unmap = (address: string): string => {
  if (!address.startsWith(mapped)) return address;
  const inner = address.slice(mapped.length);
  return isIP(inner) === 4 ? inner : address;
};

const mapped = '::ffff:';

/** Node joins several headers of the name with commas, in their order. */
const forwardedFor = ({ headers }: IncomingMessage): string | undefined => {
  const value = headers['x-forwarded-for'];
  return Array.isArray(value) ? value.join(',') : value;
};

/** Some proxies add the port: `192.0.2.1:443`, `[2001:db8::1]:443`. */
function parseForwarded(text: string): string | undefined {
  const address = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return isIP(address) === 0 ? undefined : unmap(address);
}
