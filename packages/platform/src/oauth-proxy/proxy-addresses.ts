import { trimSlashes } from '@portcullis/core/text/trim-where';
import type { Config } from '../config/config.ts';
import { metadataPaths } from './metadata-paths.ts';

/** What of the configuration says where the management port is reached. */
export type Bases = LocalPlace & Pick<Config, 'OAUTH_REDIRECT_BASE_URL' | 'PUBLIC_URL'>;

type LocalPlace = Pick<Config, 'ENVIRONMENT' | 'PORT' | 'TLS_CERT_FILE'>;

/** Where browsers and clients reach the management port, without a slash at its end; undefined while it does not know. */
export const publicBaseOf = (config: Bases): string | undefined => {
  const base = config.OAUTH_REDIRECT_BASE_URL ?? config.PUBLIC_URL ?? localBaseOf(config);
  return base === undefined ? undefined : trimSlashes(base);
};

/** Whom nobody told otherwise is reached on the machine that it runs on; in production, and on a port yet to be found, it cannot know. */
export const localBaseOf = ({ ENVIRONMENT, PORT, TLS_CERT_FILE }: LocalPlace): string | undefined =>
  ENVIRONMENT === 'production' || PORT === 0
    ? undefined
    : `${TLS_CERT_FILE === undefined ? 'http' : 'https'}://localhost:${PORT}`;

/** Where a proxy is reached that does not say so itself: on its port of the same host. */
export function proxyOriginOf(base: string, port: number): string {
  const { protocol, hostname } = new URL(base);
  return new URL(`${protocol}//${hostname}:${port}`).origin;
}

/** The authorization server of one proxy: its issuer is where the proxy is reached, its endpoints are on the management port. */
export interface AuthorizationServerAddresses {
  readonly issuer: string;
  readonly authorization: string;
  readonly token: string;
  readonly registration: string;
  readonly revocation: string;
  readonly jwks: string;
}

/** @param issuer of the proxy's settings, as an origin */
export function addressesOf(proxyId: number, issuer: string, base: string): AuthorizationServerAddresses {
  const at = `${base}/api/v1/oauth-proxy/${proxyId}`;
  return {
    issuer,
    authorization: `${at}/authorize`,
    token: `${at}/token`,
    registration: `${at}/register`,
    revocation: `${at}/revoke`,
    jwks: `${issuer}${metadataPaths.keys}`,
  };
}

/** Where the provider sends browsers back to: one address for each provider, over all proxies. */
export const proxyCallbackOf = (providerId: number, base: string): URL =>
  new URL(`${base}/api/v1/oauth-proxy/callback/${providerId}`);
