import type { OAuthProviderType } from '@portcullis/contracts/oauth-provider-types';
import type { OAuthProvider } from '@portcullis/contracts/routes/oauth-providers';
import type { Queryable } from '@portcullis/platform/database/database';
import { databaseNow } from '@portcullis/platform/database/database-now';
import { loadPage, whereEqual } from '@portcullis/platform/database/list-queries';
import { callbackOf, findOAuthProviderRow, type OAuthProviderRow } from '@portcullis/platform/oauth/stored-provider';
import { publicBaseOf, type Bases } from '@portcullis/platform/config/public-base';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { ProviderFields } from './provider-fields.ts';

interface ProviderFilter {
  readonly provider_type?: OAuthProviderType;
  readonly enabled?: boolean;
  readonly limit: number;
  readonly offset: number;
}

export async function loadProviderPage({ kysely }: Queryable, filter: ProviderFilter) {
  const { provider_type, enabled } = filter;
  const providers = kysely.selectFrom('oauth_providers').selectAll().orderBy('name').orderBy('id');
  return loadPage(whereEqual(providers, { provider_type, enabled }), filter);
}

/** @throws {GatewayError} when there is none */
export async function loadProviderOrThrow(database: Queryable, id: number): Promise<OAuthProviderRow> {
  const row = await findOAuthProviderRow(database, id);
  if (row === undefined) throw new GatewayError('not_found', { message: `There is no OAuth provider ${id}` });
  return row;
}

const valuesOf = ({ scopes, tenants, ...fields }: ProviderFields) => ({
  ...fields,
  scopes: JSON.stringify(scopes),
  tenants: JSON.stringify(tenants),
});

export const insertProvider = ({ kysely }: Queryable, fields: ProviderFields): Promise<OAuthProviderRow> =>
  kysely.insertInto('oauth_providers').values(valuesOf(fields)).returningAll().executeTakeFirstOrThrow();

export const updateProvider = ({ kysely }: Queryable, id: number, fields: ProviderFields): Promise<OAuthProviderRow> =>
  kysely
    .updateTable('oauth_providers')
    .set({ ...valuesOf(fields), updated_at: databaseNow })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** @param sealed null removes it */
export const saveClientSecret = ({ kysely }: Queryable, id: number, sealed: string | null): Promise<OAuthProviderRow> =>
  kysely
    .updateTable('oauth_providers')
    .set({ client_secret: sealed })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

export const deleteProvider = ({ kysely }: Queryable, id: number) =>
  kysely.deleteFrom('oauth_providers').where('id', '=', id).execute();

export const fieldsOf = (row: OAuthProviderRow): ProviderFields => {
  const { id: _id, client_secret: _secret, created_at: _created, updated_at: _updated, ...fields } = row;
  // What was stored had passed the schemas.
  return fields as ProviderFields;
};

export const renderProvider = (row: OAuthProviderRow, config: Bases): OAuthProvider => {
  const { client_secret: secret, scopes, tenants, ...same } = row;
  return {
    ...same,
    provider_type: row.provider_type as OAuthProviderType,
    has_client_secret: secret !== null,
    scopes: scopes as string[],
    tenants: tenants as string[],
    redirect_uri: row.redirect_uri ?? callbackOf(row.name, publicBaseOf(config))?.href ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
};
