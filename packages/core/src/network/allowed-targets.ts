import { effectiveAddress } from './classify-address.ts';
import { parseIpAddress, type IpAddress } from './ip-address.ts';
import { nameOfHost } from './name-of-host.ts';

/** Private places that may be reached, named one by one or by their networks. */
export interface AllowedTargets {
  /** In lower case. */
  readonly names: ReadonlySet<string>;
  readonly networks: readonly AllowedNetwork[];
}

interface AllowedNetwork {
  readonly network: IpAddress;
  readonly hostBits: bigint;
}

export const noAllowedTargets: AllowedTargets = { names: new Set(), networks: [] };

const hostName = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/;

/** Parses host names, addresses and networks such as `10.0.0.0/8`. @throws {Error} saying what each must be */
export function parseAllowedTargetsOrThrow(texts: readonly string[]): AllowedTargets {
  const names = new Set<string>();
  const networks: AllowedNetwork[] = [];
  for (const text of texts) {
    const name = text.toLowerCase().replace(/\.$/, '');
    const network = parseNetwork(text);
    if (network !== undefined) networks.push(network);
    else if (hostName.test(name) && !/^[\d.]+$/.test(name)) names.add(name);
    else throw new Error(`must be host names, addresses and networks such as 10.0.0.0/8, got ${JSON.stringify(text)}`);
  }
  return { names, networks };
}

function parseNetwork(text: string): AllowedNetwork | undefined {
  const [address = '', length, ...more] = text.split('/');
  const network = parseIpAddress(address);
  if (network === undefined || more.length > 0 || !/^\d{1,3}$/.test(length ?? '0')) return undefined;
  const bits = address.includes(':') ? 128 : 32;
  const prefix = length === undefined ? bits : Number(length);
  if (prefix > bits) return undefined;
  const hostBits = BigInt(bits - prefix);
  return { network: network >> hostBits, hostBits };
}

export const isNameAllowed = ({ names }: AllowedTargets, host: string): boolean => names.has(nameOfHost(host));

/** Whether an address is in one of the networks; with `alone` only where it was named by itself. */
export function isAddressNamed({ networks }: AllowedTargets, text: string, alone: boolean): boolean {
  const address = effectiveAddress(text);
  if (address === undefined) return false;
  return networks.some(({ network, hostBits }) => (!alone || hostBits === 0n) && address >> hostBits === network);
}
