import type { webcrypto } from 'node:crypto';
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

/** By which access tokens of the OAuth proxy are checked. */
export interface OAuthTables {
  readonly signingKeys: RowsById<SigningKeyRow>;
  readonly grants: RowsById<GrantRow>;
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
