import { describe, expect, test } from '@jest/globals';
import { databaseKinds, openTestDatabase, silentLog } from '../../test/test-database.ts';
import { insertSeal } from '../audit/seal-chain.ts';
import { createSealKey } from '../audit/seal-key.ts';
import { Secret } from '../config/secret.ts';
import { checkEncryptionKey, fingerprintOf } from './check-encryption-key.ts';

const [first, second, third] = ['a', 'b', 'c'].map((letter) => new Secret(letter.repeat(32))) as [
  Secret,
  Secret,
  Secret,
];
const keys = (present: Secret, previous?: Secret, startOver?: string) => ({
  ENCRYPTION_KEY: present,
  ENCRYPTION_KEY_PREVIOUS: previous,
  ENCRYPTION_KEY_START_OVER: startOver,
});

describe.each(databaseKinds)('the key of a database (%s)', (kind) => {
  test('is noted at the first start, and another one refused with both names and the way out', async () => {
    await using database = await openTestDatabase(kind);
    await checkEncryptionKey(database, keys(first), silentLog);
    await checkEncryptionKey(database, keys(first), silentLog);
    await expect(checkEncryptionKey(database, keys(second), silentLog)).rejects.toThrow(
      new RegExp(
        `^ENCRYPTION_KEY is ${fingerprintOf(second)} .* sealed with the key ${fingerprintOf(first)} \\(since 20.*ENCRYPTION_KEY_PREVIOUS`,
      ),
    );
    await expect(checkEncryptionKey(database, keys(second, third), silentLog)).rejects.toThrow(
      `ENCRYPTION_KEY_PREVIOUS, ${fingerprintOf(third)}, is not it either`,
    );
    await checkEncryptionKey(database, keys(first), silentLog);
  });

  test('changes beside the previous one, and a process that only knows the previous one is refused from then on', async () => {
    await using database = await openTestDatabase(kind);
    await checkEncryptionKey(database, keys(first), silentLog);
    // The first of two rounds: each process can read what the others will write.
    await checkEncryptionKey(database, keys(first, second), silentLog);
    await checkEncryptionKey(database, keys(second, first), silentLog);
    await checkEncryptionKey(database, keys(second), silentLog);
    await expect(checkEncryptionKey(database, keys(first), silentLog)).rejects.toThrow(fingerprintOf(second));
  });

  test('of a version before is known by the seals of its audit log', async () => {
    await using database = await openTestDatabase(kind);
    await insertSeal(database, createSealKey(first), { record_id: 1, hash: 'f'.repeat(64) });
    await expect(checkEncryptionKey(database, keys(second), silentLog)).rejects.toThrow('sealed with another key');
    await checkEncryptionKey(database, keys(second, first), silentLog);
  });

  test('that is lost gives way to the one whose fingerprint is named', async () => {
    await using database = await openTestDatabase(kind);
    await checkEncryptionKey(database, keys(first), silentLog);
    const other = keys(second, undefined, fingerprintOf(third));
    await expect(checkEncryptionKey(database, other, silentLog)).rejects.toThrow('START_OVER');
    await checkEncryptionKey(database, keys(second, undefined, fingerprintOf(second)), silentLog);
    await checkEncryptionKey(database, keys(second), silentLog);
  });

  test('is one, whichever of two processes comes first', async () => {
    await using database = await openTestDatabase(kind);
    const outcomes = await Promise.allSettled(
      [first, second].map((key) => checkEncryptionKey(database, keys(key), silentLog)),
    );
    expect(outcomes.map(({ status }) => status).toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
      'fulfilled',
      'rejected',
    ]);
  });
});
