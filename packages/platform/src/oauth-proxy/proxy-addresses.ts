import { metadataPaths } from './metadata-paths.ts';

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
