import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { databaseKinds, openTestDatabase } from '../../test/test-database.ts';
import { deleteInBatches } from './delete-in-batches.ts';

describe.each(databaseKinds)('deleting in batches (%s)', (kind) => {
  let database: Awaited<ReturnType<typeof openTestDatabase>>;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(async () => database[Symbol.asyncDispose]());

  test.each([
    [7, 3],
    [6, 3],
    [0, 3],
    [2, 3],
  ])('takes all of %i rows, %i at a time, and nothing else', async (count, limit) => {
    const { kysely } = database;
    await sql`delete from daily_requests`.execute(kysely);
    await sql`insert into daily_requests select '2026-01-01', n, 0, 0, 1 from generate_series(1, ${count}) as n`.execute(
      kysely,
    );
    await sql`insert into daily_requests values ('2026-01-02', 1, 0, 0, 1)`.execute(kysely);
    expect(await deleteInBatches(kysely, 'daily_requests', sql`day < '2026-01-02'`, limit)).toBe(count);
    expect(await kysely.selectFrom('daily_requests').select('day').execute()).toEqual([{ day: '2026-01-02' }]);
  });
});
