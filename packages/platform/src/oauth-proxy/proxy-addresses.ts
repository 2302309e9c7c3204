import { trimSlashes } from '@portcullis/core/text/trim-where';
import type { Config } from '../config/config.ts';
import { metadataPaths } from './metadata-paths.ts';

type Bases = Pick<Config, 'OAUTH_REDIRECT_BASE_URL' | 'PUBLIC_URL'>;

/** Where browsers and clients reach the management port, without a slash at its end; undefined while it does not know. */
export const publicBaseOf = ({
  OAUTH_REDIRECT_BASE_URL: redirectBase,
  PUBLIC_URL: base,
}: Bases): string | undefined => {
  const given = redirectBase ?? base;
  return given === undefined ? undefined : trimSlashes(given);
};

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
