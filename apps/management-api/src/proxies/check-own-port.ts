import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { GatewayError } from '@portcullis/platform/http/gateway-error';

const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** Whether the host of a URL is this machine, as far as that shows without asking for names. */
function isThisMachine(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  if (isIP(host) === 0) return false;
  if (host.startsWith('127.') || ['::1', '::', '0.0.0.0'].includes(host)) return true;
  return Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === host));
}

/** A proxy in front of itself would forward each request for ever. @throws {GatewayError} `bad_request` */
export function checkOwnPortOrThrow({ target, port }: { readonly target: string; readonly port: number }): void {
  if (!URL.canParse(target)) return;
  const url = new URL(target);
  const targetPort = url.port === '' ? defaultPorts[url.protocol] : Number(url.port);
  if (targetPort !== port || !isThisMachine(url.hostname)) return;
  const rule = `must not be the proxy itself, which listens on port ${port} of this machine`;
  throw new GatewayError('bad_request', { problems: [{ path: '/body/target', rule }] });
}
