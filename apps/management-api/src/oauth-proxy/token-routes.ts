import { exchangeOAuthToken, revokeOAuthToken } from '@portcullis/contracts/routes/oauth-proxy';
import { isOf } from '@portcullis/core/oauth/check-authorization';
import { audited } from '@portcullis/platform/audit/audited';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { openVerificationKey, readAccessToken } from '@portcullis/platform/oauth-proxy/access-tokens';
import type { webcrypto } from 'node:crypto';
import { authenticateClientOrThrow } from './authenticate-client.ts';
import type { ClientRow } from './client-queries.ts';
import { exchangeCode } from './exchange-code.ts';
import { deleteGrant, findRefreshToken } from './grant-queries.ts';
import type { OAuthProxyParts } from './oauth-proxy-parts.ts';
import { oauthRefusal } from './oauth-refusal.ts';
import { findServerOrThrow, proxyResource, type ProxyServer } from './proxy-server.ts';
import { refreshGrant } from './refresh-grant.ts';
import { notStored } from './register-route.ts';

export const bindExchangeToken = (parts: OAuthProxyParts): BoundRoute =>
  bind(exchangeOAuthToken, async (call) => {
    const { params, body, clientIp, header } = call;
    await parts.limits.token.countRequest(clientIp);
    const server = await findServerOrThrow(parts, params.id);
    const client = await authenticateClientOrThrow(parts.database, server.id, body, header?.('authorization'));
    if (body.resource !== undefined && !isOf(server.settings.issuer, body.resource)) {
      throw oauthRefusal('invalid_target', `Tokens are for ${server.settings.issuer} only`);
    }
    const given = await answerGrant(parts, call, server, client);
    return { text: JSON.stringify(given), headers: notStored };
  });

function answerGrant(
  parts: OAuthProxyParts,
  call: Parameters<typeof exchangeCode>[1],
  server: ProxyServer,
  client: ClientRow,
) {
  const { grant_type: type } = call.body;
  if (type === 'authorization_code') return exchangeCode(parts, call, server, client);
  if (type === 'refresh_token') return refreshGrant(parts, call, server, client);
  throw oauthRefusal('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
}

export const bindRevokeToken = (parts: OAuthProxyParts): BoundRoute =>
  bind(revokeOAuthToken, async (call) => {
    const { params, body, clientIp, header } = call;
    await parts.limits.token.countRequest(clientIp);
    const server = await findServerOrThrow(parts, params.id);
    const client = await authenticateClientOrThrow(parts.database, server.id, body, header?.('authorization'));
    const refreshed = await findRefreshToken(parts.database, body.token, client.id);
    const grantId = refreshed?.grant_id ?? (await grantOfAccessToken(parts, server, client, body.token));
    if (grantId !== undefined) {
      await audited(
        parts.database,
        call,
        (transaction) => deleteGrant(transaction, grantId),
        (grant) =>
          grant && {
            event: 'oauth.grant.revoked',
            resource: proxyResource(server),
            details: { grant_id: grant.id, user_id: grant.user_id, client_id: client.client_id, by: 'client' },
          },
      );
    }
    // RFC 7009, 2.2: a token that is nothing is revoked already.
    return { text: '{}', headers: notStored };
  });

/** The grant of an access token of the client, as long as the token is good. */
async function grantOfAccessToken(
  { database: { kysely } }: OAuthProxyParts,
  { settings }: ProxyServer,
  client: ClientRow,
  token: string,
): Promise<number | undefined> {
  const rows = await kysely.selectFrom('oauth_signing_keys').select(['kid', 'public_key']).execute();
  const keys = new Map(
    rows.map(({ kid, public_key: jwk }) => [kid, openVerificationKey(kid, jwk as webcrypto.JsonWebKey)]),
  );
  const claims = readAccessToken(token, settings.issuer, (kid) => keys.get(kid));
  if (claims === undefined) return undefined;
  const grant = await kysely
    .selectFrom('oauth_grants')
    .select('id')
    .where('id', '=', claims.grantId)
    .where('client_row_id', '=', client.id)
    .executeTakeFirst();
  return grant?.id;
}
