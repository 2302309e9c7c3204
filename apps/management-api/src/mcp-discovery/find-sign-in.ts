import type { Queryable } from '@portcullis/platform/database/database';
import { readOAuthSettings, type OAuthProxied } from '@portcullis/platform/oauth-proxy/oauth-settings';
import { addressesOf } from '@portcullis/platform/oauth-proxy/proxy-addresses';

type Proxied = OAuthProxied & { readonly id: number };

/**
 * Whether clients of a proxy may sign their users in with OAuth, as the proxy itself tells them.
 * @param base where the management port is reached; see `publicBaseOf`
 */
export function usesOAuth(proxy: Proxied, base: string | undefined): boolean {
  const oauth = readOAuthSettings(proxy, base);
  if (oauth === undefined) return false;
  return base !== undefined || (oauth.mode === 'upstream' && oauth.authorizationServer === 'provider');
}

/** Where users of a proxy sign in: at the gateway's own server for it, or at its provider; undefined where clients send keys. */
export async function findAuthUrl(
  { kysely }: Queryable,
  proxy: Proxied,
  base: string | undefined,
): Promise<string | undefined> {
  const oauth = readOAuthSettings(proxy, base);
  if (oauth === undefined) return undefined;
  if (oauth.mode === 'gateway' || oauth.authorizationServer === 'gateway') {
    return base === undefined ? undefined : addressesOf(proxy.id, oauth.issuer, base).authorization;
  }
  const provider = await kysely
    .selectFrom('oauth_providers')
    .select(['auth_url', 'issuer'])
    .where('id', '=', oauth.providerId)
    .executeTakeFirst();
  return provider?.auth_url ?? provider?.issuer ?? undefined;
}
