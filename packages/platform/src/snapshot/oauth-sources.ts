import type { webcrypto } from 'node:crypto';
import { storedProviderColumns, type StoredProviderRow } from '../oauth/stored-provider.ts';
import { numbered, type RowsById, type SnapshotSource } from './snapshot-source.ts';

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

export const signingKeySource: SnapshotSource<SigningKeyRow> = {
  kind: 'oauth_signing_keys',
  idOf: ({ id }) => id,
  async load(reader, ids) {
    const rows = await reader
      .selectFrom('oauth_signing_keys')
      .select(['id', 'kid', 'public_key'])
      .where(numbered('id', ids))
      .execute();
    return rows.map(({ public_key: key, ...row }) => ({ ...row, public_key: key as webcrypto.JsonWebKey }));
  },
};

export const grantSource: SnapshotSource<GrantRow> = {
  kind: 'oauth_grants',
  idOf: ({ id }) => id,
  load: (reader, ids) =>
    reader
      .selectFrom('oauth_grants')
      .select(['id', 'proxy_id', 'user_id', 'access_token'])
      .where(numbered('id', ids))
      .execute(),
};

/** With their secrets sealed. */
export const oauthProviderSource: SnapshotSource<StoredProviderRow> = {
  kind: 'oauth_providers',
  idOf: ({ id }) => id,
  load: (reader, ids) =>
    reader.selectFrom('oauth_providers').select(storedProviderColumns).where(numbered('id', ids)).execute(),
};

/** Of providers of the database: no proxy forwards tokens of one of the environment. */
export const identitySource: SnapshotSource<IdentityRow> = {
  kind: 'user_identities',
  idOf: ({ id }) => id,
  load: (reader, ids) =>
    reader
      .selectFrom('user_identities')
      .select(['id', 'user_id', 'provider_key', 'issuer', 'subject'])
      .where('provider_id', 'is not', null)
      .where(numbered('id', ids))
      .execute(),
};
