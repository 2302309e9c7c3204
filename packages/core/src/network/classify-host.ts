import { classifyAddress, type AddressClass } from './classify-address.ts';
import { parseIpAddress } from './ip-address.ts';
import { nameOfHost } from './name-of-host.ts';

/** Names under which clouds serve credentials. They resolve to refused addresses; refusing the name says so sooner. */
const metadataNames: ReadonlySet<string> = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'metadata.azure.internal',
  'metadata.tencentyun.com',
  'metadata.platformequinix.com',
  'instance-data',
  'instance-data.ec2.internal',
]);

/**
 * Classifies the host of a URL as far as it can be told without asking a name server: addresses,
 * metadata names and `localhost`. Undefined for a name that has to be resolved first.
 */
export function classifyHost(host: string): AddressClass | undefined {
  if (parseIpAddress(host) !== undefined) return classifyAddress(host);
  const name = nameOfHost(host);
  if (metadataNames.has(name)) return 'metadata';
  if (name === 'localhost' || name.endsWith('.localhost')) return 'loopback';
  return undefined;
}
