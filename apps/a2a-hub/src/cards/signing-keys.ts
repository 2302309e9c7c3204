import { changeConfig } from '@portcullis/platform/database/change-config';
import type { Database, Queryable } from '@portcullis/platform/database/database';
import { databaseNow } from '@portcullis/platform/database/database-now';
import type { CardSigningKeysTable } from '@portcullis/platform/database/tables';
import type { Encryption } from '@portcullis/platform/security/encryption';
import { cardSigningKeyPlace } from '@portcullis/platform/security/sealed-places';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose';
import { sql, type Selectable } from 'kysely';

export type SigningKeyRow = Selectable<CardSigningKeysTable>;

export const cardAlgorithm = 'ES256';
/** How long a key that signs nothing any more is published: cards that it signed are still kept by callers. */
const publishedDays = 30;

/** The key that signs now. */
export interface SigningKey {
  readonly kid: string;
  readonly key: CryptoKey | Uint8Array;
}

/** Makes the first key, once for all processes. */
export const ensureSigningKey = (database: Database, encryption: Encryption): Promise<void> =>
  changeConfig(database, async (kysely) => {
    const known = await findCurrent({ kysely });
    if (known === undefined) await insertSigningKey({ kysely }, encryption);
  });

/** Takes another key from now on. Within a transaction that has the configuration to itself. */
export async function replaceSigningKey({ kysely }: Queryable, encryption: Encryption): Promise<SigningKeyRow> {
  await kysely
    .updateTable('card_signing_keys')
    .set({ retired_at: databaseNow })
    .where('retired_at', 'is', null)
    .execute();
  return insertSigningKey({ kysely }, encryption);
}

async function insertSigningKey({ kysely }: Queryable, encryption: Encryption): Promise<SigningKeyRow> {
  const { publicKey, privateKey } = await generateKeyPair(cardAlgorithm, { extractable: true });
  const jwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(jwk);
  const row = await kysely
    .insertInto('card_signing_keys')
    .values({ kid, public_key: JSON.stringify({ ...jwk, kid, alg: cardAlgorithm, use: 'sig' }), private_key: '' })
    .returning('id')
    .executeTakeFirstOrThrow();
  // Sealed for its row, whose id is known only now.
  const sealed = encryption.encrypt(JSON.stringify(await exportJWK(privateKey)), cardSigningKeyPlace(row.id)[0]);
  return kysely
    .updateTable('card_signing_keys')
    .set({ private_key: sealed })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

const findCurrent = ({ kysely }: Queryable): Promise<SigningKeyRow | undefined> =>
  kysely.selectFrom('card_signing_keys').selectAll().where('retired_at', 'is', null).executeTakeFirst();

/** @throws when the key was sealed with an ENCRYPTION_KEY that is not known any more */
export async function loadSigningKey(database: Queryable, encryption: Encryption): Promise<SigningKey | undefined> {
  const row = await findCurrent(database);
  if (row === undefined) return undefined;
  const jwk = JSON.parse(encryption.decrypt(row.private_key, ...cardSigningKeyPlace(row.id))) as JWK;
  return { kid: row.kid, key: await importJWK(jwk, cardAlgorithm) };
}

export const listSigningKeyRows = ({ kysely }: Queryable): Promise<SigningKeyRow[]> =>
  kysely.selectFrom('card_signing_keys').selectAll().orderBy('id', 'desc').execute();

/** The public keys of all cards that callers may still have. */
export async function loadPublishedKeys({ kysely }: Queryable): Promise<readonly unknown[]> {
  const rows = await kysely
    .selectFrom('card_signing_keys')
    .select('public_key')
    .where(sql<boolean>`retired_at is null or retired_at > now() - ${`${publishedDays} days`}::interval`)
    .orderBy('id', 'desc')
    .execute();
  return rows.map(({ public_key: key }) => key);
}
