import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, type webcrypto } from 'node:crypto';
import { sql } from 'kysely';
import type { Queryable } from '../database/database.ts';
import { databaseNow } from '../database/database-now.ts';
import type { Encryption } from '../security/encryption.ts';
import { oauthSigningKeyPlace } from '../security/sealed-places.ts';

/** How long a key signs, and how long its tokens can live at most; it is published until they have ended. */
const [signsDays, publishedDays] = [30, 2];

export interface SigningKey {
  readonly id: number;
  readonly kid: string;
  readonly key: KeyObject;
}

/**
 * The key that signs now, made where there is none.
 * @param database in a transaction that has the configuration to itself
 * @throws when it was sealed with an ENCRYPTION_KEY that is not known any more
 */
export async function takeSigningKey(database: Queryable, encryption: Encryption): Promise<SigningKey> {
  const row = await database.kysely
    .selectFrom('oauth_signing_keys')
    .select(['id', 'kid', 'private_key'])
    .where('retired_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return insertSigningKey(database, encryption);
  const text = encryption.decrypt(row.private_key, ...oauthSigningKeyPlace(row.id));
  return {
    id: row.id,
    kid: row.kid,
    key: createPrivateKey({ key: JSON.parse(text) as webcrypto.JsonWebKey, format: 'jwk' }),
  };
}

/** Lets another key sign from now on. @param database as above */
export async function replaceSigningKey(database: Queryable, encryption: Encryption): Promise<SigningKey> {
  await database.kysely
    .updateTable('oauth_signing_keys')
    .set({ retired_at: databaseNow })
    .where('retired_at', 'is', null)
    .execute();
  return insertSigningKey(database, encryption);
}

async function insertSigningKey({ kysely }: Queryable, encryption: Encryption): Promise<SigningKey> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { kty, crv, x, y } = publicKey.export({ format: 'jwk' });
  // RFC 7638: the names in their order, without blanks.
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
  const { id } = await kysely
    .insertInto('oauth_signing_keys')
    .values({
      kid,
      public_key: JSON.stringify({ kty, crv, x, y, kid, alg: 'ES256', use: 'sig' }),
      private_key: '',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  // Sealed for its row, whose id is known only now.
  const sealed = encryption.encrypt(JSON.stringify(privateKey.export({ format: 'jwk' })), oauthSigningKeyPlace(id)[0]);
  await kysely.updateTable('oauth_signing_keys').set({ private_key: sealed }).where('id', '=', id).execute();
  return { id, kid, key: privateKey };
}

/** Whether the key that signs has signed long enough. */
export const isKeyDue = async ({ kysely }: Queryable): Promise<boolean> =>
  (await kysely
    .selectFrom('oauth_signing_keys')
    .select('id')
    .where('retired_at', 'is', null)
    .where(sql<boolean>`created_at < now() - ${`${signsDays} days`}::interval`)
    .executeTakeFirst()) !== undefined;

/** Removes keys whose last token has ended. */
export const expireSigningKeys = ({ kysely }: Queryable): Promise<unknown> =>
  kysely
    .deleteFrom('oauth_signing_keys')
    .where(sql<boolean>`retired_at < now() - ${`${publishedDays} days`}::interval`)
    .execute();
