import type { ProxySettings } from '@portcullis/contracts/proxy-settings';
import type { Config } from '@portcullis/platform/config/config';
import { proxyOriginOf } from '@portcullis/platform/oauth-proxy/proxy-addresses';
import { trimSlashes } from '@portcullis/core/text/trim-matching';

/** Where clients reach the gateway, and whether it speaks TLS on its ports itself. */
export interface GatewayOrigin {
  readonly origin: string;
  readonly isTls: boolean;
}

/** @param called scheme, host and port under which the client of a request has called it */
export const gatewayOriginFor = (
  { PUBLIC_URL: url, TLS_CERT_FILE: certificate }: Pick<Config, 'PUBLIC_URL' | 'TLS_CERT_FILE'>,
  called = 'http://localhost',
): GatewayOrigin => ({ origin: url ?? called, isTls: certificate !== undefined });

interface Listener {
  readonly port: number;
  readonly transport: string;
  readonly settings: ProxySettings;
}

/** The address of a proxy that clients use, without a slash at its end. */
export function proxyAddressOf({ port, transport, settings }: Listener, { origin, isTls }: GatewayOrigin): string {
  const { public_url: own, oauth_proxy_url: issuer, tls_pair: pair } = settings;
  const given = own ?? issuer ?? undefined;
  if (given !== undefined) return trimSlashes(given);
  const base = new URL(proxyOriginOf(origin, port));
  const isSecure = base.protocol === 'https:' || isTls || (pair ?? undefined) !== undefined;
  // The origin of the port as it is: 443 and 80 are those of the gateway itself.
  const scheme = `${transport === 'websocket' ? 'ws' : 'http'}${isSecure ? 's' : ''}`;
  return `${scheme}://${base.hostname}:${port}`;
}
