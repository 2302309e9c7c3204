import {
  deleteOAuthClient,
  deleteOAuthGrant,
  getAuthorizationServer,
  listOAuthClients,
  listOAuthGrants,
  rotateOAuthKey,
} from '@portcullis/contracts/routes/oauth-proxy';
import { audited } from '@portcullis/platform/audit/audited';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { renderServerMetadata } from '@portcullis/platform/oauth-proxy/metadata';
import { addressesOf } from '@portcullis/platform/oauth-proxy/proxy-addresses';
import { replaceSigningKey } from '@portcullis/platform/oauth-proxy/signing-keys';
import { redirectsOf } from './client-queries.ts';
import { deleteGrant } from './grant-queries.ts';
import type { OAuthProxyParts } from './oauth-proxy-parts.ts';
import { findServerOrThrow } from './proxy-server.ts';

const pageSize = 500;

export const bindGetServer = (parts: OAuthProxyParts): BoundRoute =>
  bind(getAuthorizationServer, async ({ query, clientIp }) => {
    await parts.limits.browser.countRequest(clientIp);
    const { id, settings } = await findServerOrThrow(parts, query.proxy_id);
    const metadata = renderServerMetadata(addressesOf(id, settings.issuer, parts.base ?? ''), settings.scopes);
    return { text: JSON.stringify(metadata) };
  });

async function checkProxyOrThrow({ database }: OAuthProxyParts, id: number): Promise<void> {
  const row = await database.kysely.selectFrom('proxies').select('id').where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw new GatewayError('not_found', { message: `There is no proxy ${id}` });
}

export const bindListClients = (parts: OAuthProxyParts): BoundRoute =>
  bind(listOAuthClients, async ({ params }) => {
    await checkProxyOrThrow(parts, params.id);
    const rows = await parts.database.kysely
      .selectFrom('oauth_proxy_clients')
      .selectAll()
      .where('proxy_id', '=', params.id)
      .orderBy('id', 'desc')
      .limit(pageSize)
      .execute();
    const clients = rows.map((row) => ({
      id: row.id,
      client_id: row.client_id,
      kind: row.kind === 'document' ? ('document' as const) : ('registered' as const),
      name: row.name,
      redirect_uris: [...redirectsOf(row)],
      auth_method: row.auth_method,
      created_at: row.created_at.toISOString(),
      used_at: row.used_at?.toISOString() ?? null,
    }));
    return { data: { clients } };
  });

export const bindDeleteClient = ({ database }: OAuthProxyParts): BoundRoute =>
  bind(deleteOAuthClient, async (call) => {
    const { id, client } = call.params;
    const deleted = await audited(
      database,
      call,
      ({ kysely }) =>
        kysely
          .deleteFrom('oauth_proxy_clients')
          .where('proxy_id', '=', id)
          .where('id', '=', client)
          .returning(['id', 'client_id', 'name'])
          .executeTakeFirst(),
      (row) =>
        row && {
          event: 'oauth.client.deleted',
          resource: { type: 'oauth_client', id: row.id, name: row.name },
          details: { proxy_id: id, client_id: row.client_id },
        },
    );
    if (deleted === undefined) throw new GatewayError('not_found', { message: `The proxy has no client ${client}` });
    return { message: 'Client deleted' };
  });

export const bindListGrants = (parts: OAuthProxyParts): BoundRoute =>
  bind(listOAuthGrants, async ({ params }) => {
    await checkProxyOrThrow(parts, params.id);
    const rows = await parts.database.kysely
      .selectFrom('oauth_grants as grant')
      .innerJoin('oauth_proxy_clients as client', 'client.id', 'grant.client_row_id')
      .innerJoin('users as user', 'user.id', 'grant.user_id')
      .select(['grant.id', 'client.client_id', 'client.name as client_name', 'user.id as user_id', 'user.username'])
      .select(['grant.scope', 'grant.created_at', 'grant.refreshed_at', 'grant.expires_at'])
      .where('grant.proxy_id', '=', params.id)
      .orderBy('grant.id', 'desc')
      .limit(pageSize)
      .execute();
    const grants = rows.map(({ created_at: created, refreshed_at: refreshed, expires_at: expires, ...row }) => ({
      ...row,
      created_at: created.toISOString(),
      refreshed_at: refreshed.toISOString(),
      expires_at: expires.toISOString(),
    }));
    return { data: { grants } };
  });

export const bindDeleteGrant = ({ database }: OAuthProxyParts): BoundRoute =>
  bind(deleteOAuthGrant, async (call) => {
    const { id, grant } = call.params;
    const deleted = await audited(
      database,
      call,
      async (transaction) => {
        const row = await transaction.kysely
          .selectFrom('oauth_grants')
          .select('id')
          .where('proxy_id', '=', id)
          .where('id', '=', grant)
          .executeTakeFirst();
        return row && deleteGrant(transaction, row.id);
      },
      (row) =>
        row && {
          event: 'oauth.grant.revoked',
          resource: { type: 'oauth_grant', id: row.id, name: null },
          details: { proxy_id: id, user_id: row.user_id, by: 'admin' },
        },
    );
    if (deleted === undefined) throw new GatewayError('not_found', { message: `The proxy has no grant ${grant}` });
    return { message: 'Grant ended' };
  });

export const bindRotateKey = ({ database, encryption }: OAuthProxyParts): BoundRoute =>
  bind(rotateOAuthKey, async (call) => {
    const { kid } = await audited(
      database,
      call,
      (transaction) => replaceSigningKey(transaction, encryption),
      ({ id, kid: name }) => ({
        event: 'oauth.signing_key.rotated',
        resource: { type: 'oauth_signing_key', id, name },
      }),
    );
    return { data: { kid }, message: 'New tokens are signed with this key' };
  });
