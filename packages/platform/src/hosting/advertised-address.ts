import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os';
import type { Config } from '../config/config.ts';

const everywhere = new Set(['0.0.0.0', '::']);

/** The URL by which the other processes of the gateway reach a port of this one. */
export function advertisedAddress(
  { ADVERTISE_HOST, HOST }: Pick<Config, 'ADVERTISE_HOST' | 'HOST'>,
  { port, speaksTls }: { readonly port: number; readonly speaksTls: boolean },
): string {
  const host = ADVERTISE_HOST ?? (everywhere.has(HOST) ? firstAddress(networkInterfaces()) : HOST);
  return `${speaksTls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Of this machine, as others see it, IPv4 first; the loopback address where it has no other. */
export function firstAddress(interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>): string {
  const outer = Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    // A link-local address is no address without the name of its link.
    .filter(({ internal, address }) => !internal && !address.startsWith('fe80:'));
  return (outer.find(({ family }) => family === 'IPv4') ?? outer[0])?.address ?? '127.0.0.1';
}
