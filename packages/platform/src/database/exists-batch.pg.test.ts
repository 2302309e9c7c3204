import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { databaseKinds, openTestDatabase } from '../../test/test-database.ts';
import { existsBatch } from './exists-batch.ts';
import type { Database } from './database.ts';

const isGroup = existsBatch((kysely) =>
  kysely
    .selectFrom('user_groups')
    .select('id')
    .where('name', '=', sql<string>`${undefined}`),
);
const isAnything = existsBatch(() => sql`(select from user_groups union all select from proxies)`);
const isWrong = existsBatch(() => sql`(select from no_such_table)`);

describe.each(databaseKinds)('asking for rows (%s)', (kind) => {
  let database: Database;
  let queries = 0;
  beforeAll(async () => {
    database = await openTestDatabase(kind, { onQuery: () => (queries += 1) });
  });
  afterAll(async () => database[Symbol.asyncDispose]());

  test('answers what is asked at the same time by one statement, each question by itself', async () => {
    await database.kysely.insertInto('user_groups').values({ name: 'there' }).execute();
    const ask = () => Promise.all([isGroup(database, 'there'), isAnything(database), isGroup(database, 'gone')]);
    queries = 0;
    expect(await ask()).toEqual([true, true, false]);
    expect(queries).toBe(1);
    expect(await isGroup(database, 'there')).toBe(true);
    expect(queries).toBe(2);
    await database.kysely.deleteFrom('user_groups').execute();
    expect(await ask()).toEqual([false, false, false]);
  });

  test('keeps few plans, in however many ways questions meet', async () => {
    await database.kysely.insertInto('user_groups').values({ name: 'met' }).execute();
    for (let count = 1; count <= 80; count += 1) {
      const asked = Array.from({ length: count }, () => isGroup(database, 'met'));
      expect(await Promise.all(asked)).toEqual(asked.map(() => true));
    }
    const { rows } = await sql<{ name: string }>`select name from pg_prepared_statements`.execute(database.kysely);
    const plans = rows.filter(({ name }) => name.startsWith('any_rows_'));
    // A server keeps none of them. The names are those of the process, and other databases of it may have taken some.
    expect(plans.length > 0).toBe(kind === 'embedded');
    expect(plans.length).toBeLessThanOrEqual(64);
  });

  test('tells every caller why there is no answer', async () => {
    const asked = [isGroup(database, 'there'), isWrong(database)];
    for (const answer of asked) await expect(answer).rejects.toThrow('no_such_table');
    expect(await isGroup(database, 'gone')).toBe(false);
  });
});
