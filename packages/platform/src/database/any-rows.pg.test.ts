import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { databaseKinds, openTestDatabase } from '../../test/test-database.ts';
import { anyRows } from './any-rows.ts';
import type { Database } from './database.ts';

describe.each(databaseKinds)('asking for rows (%s)', (kind) => {
  let database: Database;
  let queries = 0;
  beforeAll(async () => {
    database = await openTestDatabase(kind, { onQuery: () => (queries += 1) });
  });
  afterAll(async () => database[Symbol.asyncDispose]());

  const groups = (name: string) => database.kysely.selectFrom('user_groups').select('id').where('name', '=', name);

  test('answers what is asked at the same time by one statement, each question by itself', async () => {
    await database.kysely.insertInto('user_groups').values({ name: 'there' }).execute();
    queries = 0;
    const asked = [groups('there'), groups('gone'), sql`(select from user_groups union all select from proxies)`];
    expect(await Promise.all(asked.map((rows) => anyRows(database, rows)))).toEqual([true, false, true]);
    expect(queries).toBe(1);
    expect(await anyRows(database, groups('there'))).toBe(true);
    expect(queries).toBe(2);
  });

  test('tells everybody who asked why there is no answer', async () => {
    const asked = [groups('there'), sql`(select from no_such_table)`].map((rows) => anyRows(database, rows));
    for (const answer of asked) await expect(answer).rejects.toThrow('no_such_table');
    expect(await anyRows(database, groups('there'))).toBe(true);
  });
});
