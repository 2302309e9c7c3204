import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { createEmptyDatabase, databaseKinds, openTestDatabase, silentLog } from '../../test/test-database.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './open-database.ts';

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
});
