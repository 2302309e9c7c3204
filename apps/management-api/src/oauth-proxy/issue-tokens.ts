import type { Queryable } from '@portcullis/platform/database/database';
import { signAccessToken } from '@portcullis/platform/oauth-proxy/access-tokens';
import { takeSigningKey } from '@portcullis/platform/oauth-proxy/signing-keys';
import type { Encryption } from '@portcullis/platform/security/encryption';
import { randomUUID } from 'node:crypto';
import type { ClientRow } from './client-queries.ts';
import { insertRefreshToken, isRenewable } from './grant-queries.ts';
import type { ProviderTokens } from './provider-tokens.ts';
import type { ProxyServer } from './proxy-server.ts';

/** Where the provider does not say how long its own token is good, and the longest that any is. */
const [defaultLifetimeS, maxLifetimeS] = [3_600, 86_400];

interface Issued {
  readonly server: ProxyServer;
  readonly client: ClientRow;
  readonly grantId: number;
  readonly userId: number;
  readonly scope: string;
  readonly tokens: ProviderTokens;
}

/**
 * What the token endpoint answers for a grant. The access token ends with the provider's at the latest, so that whoever has one
 * can reach the target with it.
 * @param database in a transaction that has the configuration to itself
 */
export async function issueTokens(database: Queryable, encryption: Encryption, issued: Issued) {
  const { server, client, grantId, userId, scope, tokens } = issued;
  const nowMs = Date.now();
  if (server.settings.mode === 'upstream') return forwardTokens(database, issued, nowMs);
  const lifetimeS = lifetimeOf(server, tokens, nowMs);
  const accessToken = signAccessToken(
    {
      issuer: server.settings.issuer,
      userId,
      clientId: client.client_id,
      grantId,
      tokenId: randomUUID(),
      scope,
      issuedAtMs: nowMs,
      expiresAtMs: nowMs + lifetimeS * 1_000,
    },
    await takeSigningKey(database, encryption),
  );
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: lifetimeS,
    ...(isRenewable(tokens) && { refresh_token: await insertRefreshToken(database, grantId) }),
    ...(scope !== '' && { scope }),
  };
}

/** The provider's token as it is; the next one is asked for here, where it is known to which client it belongs. */
async function forwardTokens(database: Queryable, { grantId, scope, tokens }: Issued, nowMs: number) {
  const { accessToken, expiresAtMs } = tokens;
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    ...(expiresAtMs !== null && { expires_in: Math.max(1, Math.floor((expiresAtMs - nowMs) / 1_000)) }),
    ...(isRenewable(tokens) && { refresh_token: await insertRefreshToken(database, grantId) }),
    ...(scope !== '' && { scope }),
  };
}

function lifetimeOf({ settings }: ProxyServer, { expiresAtMs }: ProviderTokens, nowMs: number): number {
  const ofProvider = expiresAtMs === null ? defaultLifetimeS : Math.floor((expiresAtMs - nowMs) / 1_000);
  return Math.max(1, Math.min(ofProvider, settings.tokenLifetimeS ?? maxLifetimeS, maxLifetimeS));
}
