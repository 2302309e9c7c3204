import { hkdfSync } from 'node:crypto';
import { loadNewestSeal } from '../audit/seal-chain.ts';
import { createSealKey } from '../audit/seal-key.ts';
import type { Config } from '../config/config.ts';
import type { Secret } from '../config/secret.ts';
import type { Queryable } from '../database/database.ts';
import type { ProcessSecrets } from '../process/secrets.ts';
import { StartProblem } from '../errors/start-problem.ts';
import type { Logger } from '../log/logger.ts';
import { createEncryption, type Encryption } from '../security/encryption.ts';

type Keys = Pick<Config & ProcessSecrets, 'ENCRYPTION_KEY' | 'ENCRYPTION_KEY_PREVIOUS' | 'ENCRYPTION_KEY_START_OVER'>;

const context = 'encryption_check';
const word = 'portcullis';

/**
 * Compares the key with the one that the secrets in the database are sealed with, and notes it in a database that has none
 * yet. A process with another key could read none of them, and would take every seal of the audit log for a forged one.
 * @throws {StartProblem} naming both keys by their fingerprints, and the ways out
 */
export async function checkEncryptionKey(
  { kysely }: Pick<Queryable, 'kysely'>,
  keys: Keys,
  log: Logger,
): Promise<void> {
  const encryption = createEncryption(keys.ENCRYPTION_KEY.reveal(), keys.ENCRYPTION_KEY_PREVIOUS?.reveal());
  const fingerprint = fingerprintOf(keys.ENCRYPTION_KEY);
  const found = await kysely.selectFrom('encryption_check').selectAll().executeTakeFirst();
  const sealedWith =
    found === undefined
      ? // By a version without this check: the seals of the audit log are made with the same key.
        (await hasForeignSeal({ kysely }, keys)) && 'another key'
      : !opens(encryption, found.sealed) && `the key ${found.key_fingerprint} (since ${found.sealed_at.toISOString()})`;
  if (sealedWith !== false) {
    if (keys.ENCRYPTION_KEY_START_OVER !== fingerprint) throw wrongKey(keys, sealedWith);
    log.warn('Starting over with a new ENCRYPTION_KEY: what was sealed before cannot be read', {
      sealed_with: sealedWith,
    });
  }
  if (found?.key_fingerprint === fingerprint) return;
  const row = { sealed: encryption.encrypt(word, context), key_fingerprint: fingerprint, sealed_at: new Date() };
  const { numInsertedOrUpdatedRows: written = 0n } = await kysely
    .insertInto('encryption_check')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet(row)
        .where('encryption_check.sealed', '=', found?.sealed ?? ''),
    )
    .executeTakeFirst();
  // Another process was faster, maybe with another key.
  if (written === 0n) await checkEncryptionKey({ kysely }, keys, log);
}

function opens(encryption: Encryption, sealed: string): boolean {
  try {
    return encryption.decrypt(sealed, context) === word;
  } catch {
    return false;
  }
}

async function hasForeignSeal(database: Pick<Queryable, 'kysely'>, keys: Keys): Promise<boolean> {
  const newest = await loadNewestSeal(database);
  if (newest === undefined) return false;
  return !createSealKey(keys.ENCRYPTION_KEY, keys.ENCRYPTION_KEY_PREVIOUS).isValid(newest, newest.seal);
}

/** Tells keys apart in messages; of a key made at random it tells nothing else. */
export const fingerprintOf = (key: Secret): string =>
  Buffer.from(hkdfSync('sha256', key.reveal(), '', 'portcullis encryption key fingerprint', 4)).toString('hex');

function wrongKey(
  { ENCRYPTION_KEY: present, ENCRYPTION_KEY_PREVIOUS: previous }: Keys,
  sealedWith: string,
): StartProblem {
  const fingerprint = fingerprintOf(present);
  const wayOut =
    previous === undefined
      ? 'Give that key back. To change it, set ENCRYPTION_KEY_PREVIOUS to it beside the new one, and all is sealed anew.'
      : `ENCRYPTION_KEY_PREVIOUS, ${fingerprintOf(previous)}, is not it either: set one of the two to it.`;
  return new StartProblem(
    `ENCRYPTION_KEY is ${fingerprint} by its fingerprint, but what is secret in this database was sealed with ${sealedWith}. ${wayOut} ` +
      `If it is lost, ENCRYPTION_KEY_START_OVER=${fingerprint} starts with this one, and secrets have to be entered again.`,
  );
}
