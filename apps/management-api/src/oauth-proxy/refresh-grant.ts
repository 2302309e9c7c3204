import { audited } from '@portcullis/platform/audit/audited';
import type { Queryable } from '@portcullis/platform/database/database';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { problemText } from '@portcullis/platform/errors/problem';
import { providerRefusal } from '@portcullis/platform/oauth/provider-refusal';
import type { ClientRow } from './client-queries.ts';
import { replayed, type TokenCall, type TokenOutcome } from './exchange-code.ts';
import {
  claimGrant,
  deleteGrant,
  findRefreshToken,
  freeGrant,
  openProviderTokens,
  saveProviderTokens,
  useRefreshToken,
  type RefreshTokenRow,
} from './grant-queries.ts';
import { issueTokens } from './issue-tokens.ts';
import type { OAuthProxyParts } from './oauth-proxy-parts.ts';
import { oauthRefusal, tryAgain } from './oauth-refusal.ts';
import { keptTokens, targetOf, type ProviderTokens } from './provider-tokens.ts';
import { proxyResource, type ProxyServer } from './proxy-server.ts';

const unknown = 'The refresh token is not good: it was used, took too long, or what it belongs to has ended';

/**
 * Exchanges a refresh token, once, and the provider's with it. A used one that comes again ends its grant.
 * @throws {GatewayError} `invalid_grant`; `temporarily_unavailable` where nothing was used up
 */
export async function refreshGrant(parts: OAuthProxyParts, call: TokenCall, server: ProxyServer, client: ClientRow) {
  const { database } = parts;
  const row = await findRefreshToken(database, call.body.refresh_token ?? '', client.id);
  if (row === undefined) throw oauthRefusal('invalid_grant', unknown);
  const end = async (audit: TokenOutcome['audit']): Promise<never> => {
    await audited(
      database,
      call,
      (transaction) => deleteGrant(transaction, row.grant_id),
      (grant) => (grant === undefined ? undefined : audit),
    );
    throw oauthRefusal('invalid_grant', unknown);
  };
  const details = { grant_id: row.grant_id, user_id: row.user_id, client_id: client.client_id };
  if (row.used_at !== null) return end(replayed(server, details, 'A refresh token came a second time'));
  const ended = (reason: string) =>
    end({ event: 'oauth.grant.revoked', resource: proxyResource(server), details: { ...details, by: reason } });
  if (row.over) return ended('its end');
  if (!row.active) return ended('the user may not come any more');
  if (row.provider_id !== server.settings.providerId) return ended('the proxy has another provider');

  if (!(await claimGrant(database, row.grant_id))) throw tryAgain('The tokens are being refreshed right now');
  const tokens = await renew(parts, row, server).catch(async (error: unknown) => {
    if (error instanceof GatewayError && error.reason === 'sign_in_denied') return undefined;
    await freeGrant(database, row.grant_id);
    throw tryAgain(`The provider did not answer as it should: ${problemText(error)}`);
  });
  if (tokens === undefined) return ended('the provider');
  const { answer } = await audited<TokenOutcome>(
    database,
    call,
    (transaction) => exchange(transaction, parts, { server, client, row, tokens }),
    ({ audit }) => audit,
  );
  if (answer === undefined) return end(replayed(server, details, 'A refresh token came a second time'));
  return answer;
}

/** The provider's next tokens; those that it has where they do not end. Undefined where it gives none. */
async function renew(
  { encryption, providers, clients }: OAuthProxyParts,
  row: RefreshTokenRow,
  server: ProxyServer,
): Promise<ProviderTokens | undefined> {
  const tokens = openProviderTokens(row, encryption);
  const { refreshToken, expiresAtMs } = tokens;
  const provider = await providers.find(row.provider_id);
  if (provider?.enabled !== true) return undefined;
  if (expiresAtMs === null) return tokens;
  if (refreshToken === null) return expiresAtMs > Date.now() ? tokens : undefined;
  const renewed = await clients
    .of(provider)
    .refresh(refreshToken, targetOf(server, provider))
    .catch((error: unknown) => {
      throw providerRefusal(provider.name, error);
    });
  return keptTokens(renewed, refreshToken);
}

interface Renewed {
  readonly server: ProxyServer;
  readonly client: ClientRow;
  readonly row: RefreshTokenRow;
  readonly tokens: ProviderTokens;
}

async function exchange(
  transaction: Queryable,
  { encryption }: OAuthProxyParts,
  { server, client, row, tokens }: Renewed,
): Promise<TokenOutcome> {
  if (!(await useRefreshToken(transaction, row.id))) return { audit: undefined };
  const { grant_id: grantId, user_id: userId, scope } = row;
  await saveProviderTokens(transaction, encryption, grantId, tokens);
  const details = { grant_id: grantId, user_id: userId, client_id: client.client_id };
  return {
    answer: await issueTokens(transaction, encryption, { server, client, grantId, userId, scope, tokens }),
    audit: { event: 'oauth.token.refreshed', resource: proxyResource(server), details },
  };
}
