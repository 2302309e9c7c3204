import type { OAuthProviderType } from '@portcullis/contracts/oauth-provider-types';
import { createHash } from 'node:crypto';
import { sql, type Selectable } from 'kysely';
import { Secret } from '../config/secret.ts';
import type { Queryable } from '../database/database.ts';
import type { OauthProvidersTable } from '../database/tables.ts';
import type { Encryption } from '../security/encryption.ts';
import { oauthClientSecretPlace } from '../security/sealed-places.ts';
import type { OAuthProvider, ProviderAddresses } from './oauth-provider.ts';

export type OAuthProviderRow = Selectable<OauthProvidersTable>;

/** What of a row says how the provider is asked. */
export const storedProviderColumns = [
  ...(['id', 'name', 'provider_type', 'client_id', 'client_secret', 'issuer', 'auth_url', 'token_url'] as const),
  ...(['userinfo_url', 'redirect_uri', 'scopes', 'tenants', 'trusts_email', 'links_management_users'] as const),
  ...(['sign_in', 'enabled', 'jwks_url'] as const),
] as const;
export type StoredProviderRow = Pick<OAuthProviderRow, (typeof storedProviderColumns)[number]>;

/** What of a row says to which host its secret goes. */
type Located = Pick<OAuthProviderRow, 'issuer' | 'token_url'>;

/** The host that a secret was given for. It is sent to no other, also where someone changes the row in the database. */
export const hostOfSecret = ({ issuer, token_url: tokenUrl }: Located): string =>
  new URL(issuer ?? tokenUrl ?? '').host;

interface SealedSecret {
  readonly host: string;
  readonly secret: string;
}

export const sealClientSecret = (row: Located & { id: number }, secret: string, encryption: Encryption): string =>
  encryption.encrypt(
    JSON.stringify({ host: hostOfSecret(row), secret } satisfies SealedSecret),
    oauthClientSecretPlace(row.id)[0],
  );

/** @throws when it cannot be decrypted, or was given for another host */
function openClientSecret(row: StoredProviderRow, encryption: Encryption): Secret | undefined {
  if (row.client_secret === null) return undefined;
  const opened = JSON.parse(encryption.decrypt(row.client_secret, ...oauthClientSecretPlace(row.id))) as SealedSecret;
  if (opened.host !== hostOfSecret(row)) throw new Error('The client secret was given for another host');
  return new Secret(opened.secret);
}

/** Where providers send browsers back to after a sign-in; undefined while the gateway does not know its own address. */
export function callbackOf(name: string, base: string | undefined): URL | undefined {
  return base === undefined ? undefined : new URL(`${base}/api/v1/auth/oauth/callback/${encodeURIComponent(name)}`);
}

/**
 * The provider of a row, with its secret opened.
 * @param base where browsers reach the management port; see `publicBaseOf`
 * @throws when the secret cannot be opened
 */
export function openOAuthProvider(
  row: StoredProviderRow,
  encryption: Encryption,
  base: string | undefined,
): OAuthProvider {
  const about = createHash('sha256').update(JSON.stringify(row)).digest('base64url');
  return {
    key: String(row.id),
    id: row.id,
    name: row.name,
    type: row.provider_type as OAuthProviderType,
    clientId: row.client_id,
    clientSecret: openClientSecret(row, encryption),
    addresses: addressesOf(row),
    // What was stored had passed the schemas.
    scopes: row.scopes as string[],
    callback: row.redirect_uri === null ? callbackOf(row.name, base) : new URL(row.redirect_uri),
    tenants: row.tenants as string[],
    trustsEmail: row.trusts_email,
    linksManagementUsers: row.links_management_users,
    signIn: row.sign_in,
    enabled: row.enabled,
    version: about,
  };
}

function addressesOf({ issuer, auth_url, token_url, userinfo_url, jwks_url }: StoredProviderRow): ProviderAddresses {
  if (issuer !== null) return { kind: 'issuer', issuer: new URL(issuer) };
  const [authorization, token, userinfo] = [auth_url, token_url, userinfo_url].map((url) => new URL(url ?? ''));
  const keys = jwks_url === null ? {} : { keys: new URL(jwks_url) };
  return { kind: 'plain', authorization, token, userinfo, ...keys } as ProviderAddresses;
}

export const findOAuthProviderRow = ({ kysely }: Queryable, id: number): Promise<OAuthProviderRow | undefined> =>
  kysely.selectFrom('oauth_providers').selectAll().where('id', '=', id).executeTakeFirst();

/** By its name, in any case of letters. */
export const findOAuthProviderRowByName = (
  { kysely }: Queryable,
  name: string,
): Promise<OAuthProviderRow | undefined> =>
  kysely
    .selectFrom('oauth_providers')
    .selectAll()
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .executeTakeFirst();

/** Providers of the database, with their secrets opened. */
export interface StoredProviders {
  /** Also one that is not enabled. @throws when its secret cannot be opened */
  find(id: number): Promise<OAuthProvider | undefined>;
  /** The same by name, in any case of letters. */
  findByName(name: string): Promise<OAuthProvider | undefined>;
}

export function createStoredProviders(
  database: Queryable,
  encryption: Encryption,
  base: string | undefined,
): StoredProviders {
  const open = (row: OAuthProviderRow | undefined) =>
    row === undefined ? undefined : openOAuthProvider(row, encryption, base);
  return {
    find: async (id) => open(await findOAuthProviderRow(database, id)),
    findByName: async (name) => open(await findOAuthProviderRowByName(database, name)),
  };
}
