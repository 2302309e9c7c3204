import { rename } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from '@jest/globals';
import { waitFor } from '@portcullis/testkit/wait-for';
import { sql } from 'kysely';
import { createTestDatabase, openTestDatabase, silentLog } from '../../../test/test-database.ts';
import { FileLocked } from '../../process/file-lock.ts';
import type { Database } from '../database.ts';
import { DatabaseUnavailable } from '../database-unavailable.ts';
import { openDatabase } from '../connection/open-database.ts';

const options = { maxConnections: 1, queryTimeoutMs: 5_000, log: silentLog };

test('starts again, with all that was committed and all listeners, after PostgreSQL itself has failed', async () => {
  await using database = await openTestDatabase('embedded');
  const heard: string[] = [];
  await database.listen('news', (payload) => heard.push(payload));
  const save = (section: string) =>
    database.kysely.insertInto('settings').values({ section, document: '{}' }).execute();
  await save('before');

  const wal = join(database.address.dataDirectory, 'database/pg_wal');
  await rename(wal, `${wal}.away`);
  await waitFor(
    async () => {
      // Fills the log until the next file of it is needed, which cannot be made.
      const failure =
        await sql`insert into outbox (topic, payload) select repeat('x', 1000), '{}' from generate_series(1, 50000)`
          .execute(database.kysely)
          .then(
            () => undefined,
            (error: unknown) => error,
          );
      return failure instanceof DatabaseUnavailable;
    },
    { what: 'PostgreSQL to fail' },
  );
  await rename(`${wal}.away`, wal);

  await waitFor(() => save('after').then(() => true), { what: 'PostgreSQL to be back' });
  const rows = await database.kysely.selectFrom('settings').select('section').orderBy('section').execute();
  expect(rows).toEqual([{ section: 'after' }, { section: 'before' }]);
  await sql`notify news, 'back'`.execute(database.kysely);
  await waitFor(() => heard.includes('back'), { what: 'the notification' });
});

/** Where the last checkpoint stands in the log. */
async function lastCheckpoint({ kysely }: Database): Promise<string | undefined> {
  const { rows } = await sql<{ redo: string }>`select redo_lsn as redo from pg_control_checkpoint()`.execute(kysely);
  return rows[0]?.redo;
}

test('the log is dropped behind checkpoints, however much is written', async () => {
  await using database = await openTestDatabase('embedded', { checkpointMs: 50 });
  // Ten files of the log.
  for (let written = 0; written < 10; written += 1) {
    await sql`insert into outbox (topic, payload) select repeat('x', 1000), '{}' from generate_series(1, 15000)`.execute(
      database.kysely,
    );
    await sql`truncate outbox cascade`.execute(database.kysely);
    const before = await lastCheckpoint(database);
    await waitFor(async () => (await lastCheckpoint(database)) !== before, { what: 'a checkpoint' });
  }
  const { rows } = await sql<{ count: number }>`select count(*) as count from pg_ls_waldir()`.execute(database.kysely);
  expect(rows[0]?.count).toBeLessThan(8);
});

test('checkpoints come sooner when much is sent', async () => {
  await using database = await openTestDatabase('embedded', { checkpointMs: 3_600_000 });
  const before = await lastCheckpoint(database);
  const text = 'x'.repeat(4_000_000);
  for (let sent = 0; sent < 5; sent += 1) {
    const { rows } = await sql`select length(${text}::text) as length`.execute(database.kysely);
    expect(rows).toEqual([{ length: text.length }]);
  }
  await waitFor(async () => (await lastCheckpoint(database)) !== before, { what: 'a checkpoint' });
});

test('committed rows survive a killed process', async () => {
  await using address = await createTestDatabase('embedded');
  const script = join(import.meta.dirname, '../../../test/database/insert-until-killed.ts');
  const child = spawn(process.execPath, [script, address.dataDirectory], { stdio: ['ignore', 'pipe', 'inherit'] });
  const committed: number[] = [];
  for await (const line of createInterface(child.stdout)) {
    committed.push(Number(line));
    if (committed.length === 200) child.kill('SIGKILL');
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');

  await using database = await openDatabase({ ...options, ...address });
  const rows = await database.kysely.selectFrom('outbox').select('id').orderBy('id').execute();
  expect(committed.length).toBeGreaterThanOrEqual(200);
  expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(committed));
});

test('a second database on the same files is refused and does no harm', async () => {
  await using database = await openTestDatabase('embedded');
  await expect(openDatabase({ ...options, ...database.address })).rejects.toThrow(FileLocked);
  await database.check();
});
