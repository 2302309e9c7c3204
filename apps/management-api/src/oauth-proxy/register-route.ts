import { registerOAuthClient } from '@portcullis/contracts/routes/oauth-proxy';
import { hashKey } from '@portcullis/core/identity/presented-key';
import { compileRedirectAdmission } from '@portcullis/core/oauth/redirect-patterns';
import { auditEntry } from '@portcullis/platform/audit/audited';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import { bind, type BoundRoute, type Call } from '@portcullis/platform/routes/bound-route';
import { addressesOf } from '@portcullis/platform/oauth-proxy/proxy-addresses';
import { randomBytes } from 'node:crypto';
import { saveClient, type ClientRow } from './client-queries.ts';
import type { OAuthProxyParts } from './oauth-proxy-parts.ts';
import { oauthRefusal } from './oauth-refusal.ts';
import { plainName } from './plain-name.ts';
import { findServerOrThrow, proxyResource, type ProxyServer } from './proxy-server.ts';

type Metadata = Call<(typeof registerOAuthClient)['parts']>['body'];

const authMethods = ['client_secret_post', 'client_secret_basic', 'none'];
const grantTypes = ['authorization_code', 'refresh_token'];

export const bindRegisterClient = ({ database, limits, base }: OAuthProxyParts): BoundRoute =>
  bind(registerOAuthClient, async (call) => {
    const { params, body, clientIp } = call;
    await limits.register.countRequest(clientIp);
    const server = await findServerOrThrow({ database, base }, params.id);
    checkMetadataOrThrow(body, server);
    const authMethod = body.token_endpoint_auth_method ?? 'client_secret_post';
    const secret = authMethod === 'none' ? undefined : `gw_secret_${randomBytes(16).toString('hex')}`;
    const client = await database.kysely.transaction().execute(async (transaction) => {
      const row = await saveClient(
        { kysely: transaction },
        {
          proxy_id: server.id,
          client_id: `gateway_${randomBytes(8).toString('hex')}`,
          kind: 'registered',
          name: plainName(body.client_name) ?? 'A client without a name',
          secret_hash: secret === undefined ? null : hashKey(secret),
          auth_method: authMethod,
          redirect_uris: body.redirect_uris,
          client_uri: body.client_uri ?? null,
        },
      );
      const details = { client_id: row.client_id, client_name: row.name, redirect_uris: body.redirect_uris };
      const change = { event: 'oauth.client.registered', resource: proxyResource(server), details } as const;
      await recordAudit(transaction, auditEntry(call, change));
      return row;
    });
    return { text: JSON.stringify(renderClient(client, server, { secret, body, base })), headers: notStored };
  });

/** Answers that carry secrets are kept by no cache. */
export const notStored = { 'cache-control': 'no-store', pragma: 'no-cache' };

function checkMetadataOrThrow(body: Metadata, { settings }: ProxyServer): void {
  const admits = compileRedirectAdmission(settings.redirectPatterns);
  const refused = body.redirect_uris.find((uri) => !admits(uri));
  if (refused !== undefined) {
    throw oauthRefusal(
      'invalid_redirect_uri',
      `${JSON.stringify(refused.slice(0, 200))} is not among the addresses that this proxy admits`,
    );
  }
  const { token_endpoint_auth_method: method, grant_types: grants = [], response_types: types = [] } = body;
  if (method !== undefined && !authMethods.includes(method)) {
    throw oauthRefusal(
      'invalid_client_metadata',
      `token_endpoint_auth_method must be one of ${authMethods.join(', ')}`,
    );
  }
  if (grants.length > 0 && !grants.includes('authorization_code')) {
    throw oauthRefusal('invalid_client_metadata', 'grant_types must have authorization_code');
  }
  if (types.length > 0 && !types.includes('code')) {
    throw oauthRefusal('invalid_client_metadata', 'response_types must have code');
  }
}

interface Rendered {
  readonly secret: string | undefined;
  readonly body: Metadata;
  readonly base: string | undefined;
}

function renderClient(client: ClientRow, { id, settings }: ProxyServer, { secret, body, base = '' }: Rendered) {
  const { authorization, token } = addressesOf(id, settings.issuer, base);
  return {
    client_id: client.client_id,
    ...(secret !== undefined && { client_secret: secret, client_secret_expires_at: 0 }),
    client_id_issued_at: Math.floor(client.created_at.getTime() / 1_000),
    client_name: client.name,
    redirect_uris: body.redirect_uris,
    token_endpoint_auth_method: client.auth_method,
    // Those that were asked for and are here.
    grant_types: grantTypes.filter((type) => (body.grant_types ?? grantTypes).includes(type)),
    response_types: ['code'],
    ...(settings.scopes.length > 0 && { scope: settings.scopes.join(' ') }),
    // Not of the standard: some clients look here for them.
    authorization_url: authorization,
    token_url: token,
  };
}
