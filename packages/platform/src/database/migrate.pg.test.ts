import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { createEmptyDatabase, databaseKinds, openTestDatabase, silentLog } from '../../test/test-database.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './connection/open-database.ts';

const options = { maxConnections: 2, queryTimeoutMs: 10_000, log: silentLog };

const migrations = async () => (await readdir(join(import.meta.dirname, 'migrations'))).sort();

describe.each(databaseKinds)('migrating the %s database', (kind) => {
  test('makes the schema once, however many start at the same time', async () => {
    await using address = await createEmptyDatabase(kind);
    await using first = await openDatabase({ ...options, ...address });
    // The embedded database can be open only once, so there the second migrator shares it.
    await using second = kind === 'server' ? await openDatabase({ ...options, ...address }) : undefined;

    const ran = await Promise.all([migrate(first), migrate(second ?? first)]);
    expect(ran.flat()).toEqual((await migrations()).map((file) => file.replace('.sql', '')));
    expect(await migrate(first)).toEqual([]);
    const group = await first.kysely.insertInto('user_groups').values({ name: 'a' }).returningAll().executeTakeFirst();
    expect(group).toMatchObject({ name: 'a', active: true });
    expect(await first.kysely.selectFrom('config_changes').select(['kind', 'id']).execute()).toEqual([
      { kind: 'user_groups', id: String(group?.id) },
    ]);
  });

  test('finds out in one statement that nothing is new', async () => {
    let statements = 0;
    await using database = await openTestDatabase(kind, { onQuery: () => void (statements += 1) });
    expect(await migrate(database)).toEqual([]);
    expect(statements).toBe(1);
  });

  test('runs one that landed behind another with a higher number', async () => {
    await using database = await openTestDatabase(kind);
    const folder = await mkdtemp(join(tmpdir(), 'portcullis-migrations-'));
    try {
      for (const file of await migrations()) await writeFile(join(folder, file), '-- was run already');
      await writeFile(join(folder, '9998_later.sql'), 'create table later (id integer);');
      expect(await migrate(database, folder)).toEqual(['9998_later']);
      await writeFile(join(folder, '9997_earlier.sql'), 'create table earlier (id integer);');
      expect(await migrate(database, folder)).toEqual(['9997_earlier']);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('leaves nothing of a migration that fails, and names it', async () => {
    await using database = await openTestDatabase(kind);
    const folder = await mkdtemp(join(tmpdir(), 'portcullis-migrations-'));
    try {
      for (const file of await migrations()) await writeFile(join(folder, file), '-- was run already');
      await writeFile(join(folder, '9998_good.sql'), 'create table good (id integer);');
      await writeFile(join(folder, '9999_bad.sql'), 'create table bad (id integer); create table bad (id integer);');
      await expect(migrate(database, folder)).rejects.toThrow(
        'The database cannot be migrated (9999_bad): relation "bad" already exists',
      );
      const tables = await database.kysely.introspection.getTables();
      expect(tables.map(({ name }) => name)).not.toContain('good');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('leaves all or nothing when its process is killed, at any time', async () => {
    await using address = await createEmptyDatabase(kind);
    const script = join(import.meta.dirname, '../../test/database/migrate-until-killed.ts');
    const parameters = [script, address.dataDirectory, ...(address.url === undefined ? [] : [address.url.reveal()])];
    const killAfterMs = [0, 40, 80, 160, 320];
    for (const waitMs of killAfterMs) {
      const child = spawn(process.execPath, parameters, { stdio: ['ignore', 'pipe', 'inherit'] });
      const exited = once(child, 'exit');
      await once(child.stdout, 'data');
      await pause(waitMs);
      child.kill('SIGKILL');
      await exited;

      await using database = await openDatabase({ ...options, ...address });
      const tables = (await database.kysely.introspection.getTables()).filter(({ name }) => name === 'users');
      const ran = await database.kysely
        .selectFrom(sql<{ name: string }>`kysely_migration`.as('migrations'))
        .select('name')
        .execute()
        .catch(() => []);
      expect(ran).toHaveLength(tables.length === 0 ? 0 : (await migrations()).length);
    }
    await using database = await openDatabase({ ...options, ...address });
    await migrate(database);
    expect(await migrate(database)).toEqual([]);
    await database.kysely.selectFrom('users').selectAll().execute();
  });
});
