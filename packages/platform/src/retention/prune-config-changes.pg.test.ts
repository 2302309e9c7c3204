import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { databaseKinds, openTestDatabase } from '../../test/test-database.ts';
import type { Database } from '../database/database.ts';
import { pruneConfigChanges } from './prune-config-changes.ts';

describe.each(databaseKinds)('pruning the configuration changes (%s)', (kind) => {
  let database: Database;
  beforeEach(async () => {
    database = await openTestDatabase(kind);
    await database.kysely.deleteFrom('config_changes').execute();
  });
  afterEach(async () => {
    await database[Symbol.asyncDispose]();
  });

  const change = (table: string, id: string, ageDays: number, times = 1) =>
    sql`insert into config_changes (kind, id, changed_at)
      select ${table}, ${id}, now() - make_interval(days => ${ageDays}) from generate_series(1, ${times}::int)`.execute(
      database.kysely,
    );
  const left = async () => {
    const rows = await database.kysely
      .selectFrom('config_changes')
      .select(['kind', 'id'])
      .orderBy('revision')
      .execute();
    return rows.map(({ kind: table, id }) => `${table} ${id}`);
  };

  test('keeps the young ones, the latest of each kind, and the latest of each section of the settings', async () => {
    await change('settings', 'general', 90, 2);
    await change('settings', 'canaries', 80);
    await change('api_keys', '1', 70, 3);
    await change('api_keys', '2', 60);
    await change('proxies', '1', 2, 4);
    await change('proxies', '2', 0, 2);
    expect(await pruneConfigChanges(database, 2)).toBe(8);
    expect(await left()).toEqual(['settings general', 'settings canaries', 'api_keys 2', 'proxies 2', 'proxies 2']);
  });

  test('is done by one process at a time', async () => {
    await change('proxies', '1', 2, 1_000);
    const removed = await Promise.all([1, 2, 3].map(() => pruneConfigChanges(database, 100)));
    expect(removed.reduce((sum, each) => sum + each, 0)).toBe(999);
    expect(await left()).toEqual(['proxies 1']);
  });
});
