import type { webcrypto } from 'node:crypto';
import { sql } from 'kysely';
import { storedProviderColumns, type StoredProviderRow } from '../oauth/stored-provider.ts';
import { tableSource, type RowsById, type SnapshotSource } from './snapshot-source.ts';

/** The public half of a key that signs access tokens, or has signed some that are still good. */
export interface SigningKeyRow {
  readonly id: number;
  readonly kid: string;
  readonly public_key: webcrypto.JsonWebKey;
}

/** What a user granted a client. */
export interface GrantRow {
  readonly id: number;
  readonly proxy_id: number;
  readonly user_id: number;
  /** Of the provider, sealed. */
  readonly access_token: string;
}

/** What a provider calls a user. */
export interface IdentityRow {
  readonly id: number;
  readonly user_id: number;
  readonly provider_key: string;
  readonly issuer: string;
  readonly subject: string;
}

/** By which access tokens of the OAuth proxy are checked, and those of providers that it forwards. */
export interface OAuthTables {
  readonly signingKeys: RowsById<SigningKeyRow>;
  readonly grants: RowsById<GrantRow>;
  readonly oauthProviders: RowsById<StoredProviderRow>;
  readonly identities: RowsById<IdentityRow>;
}

export const signingKeySource: SnapshotSource<SigningKeyRow> = tableSource('oauth_signing_keys', [
  'id',
  'kid',
  'public_key',
]);

export const grantSource: SnapshotSource<GrantRow> = tableSource('oauth_grants', [
  'id',
  'proxy_id',
  'user_id',
  'access_token',
]);

/** With their secrets sealed. */
export const oauthProviderSource: SnapshotSource<StoredProviderRow> = tableSource(
  'oauth_providers',
  storedProviderColumns,
);

/** Of providers of the database: no proxy forwards tokens of one of the environment. */
export const identitySource: SnapshotSource<IdentityRow> = tableSource(
  'user_identities',
  ['id', 'user_id', 'provider_key', 'issuer', 'subject'],
  { where: sql`provider_id is not null` },
);
