import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Tables } from './tables.ts';

/** Few enough that no statement waits long for a row of them. */
const batchSize = 5_000;

/** Deletes the rows of a table that a condition holds for, each batch for itself. Answers how many there were. */
export async function deleteInBatches(
  kysely: Kysely<Tables>,
  table: keyof Tables,
  condition: RawBuilder<unknown>,
  limit = batchSize,
): Promise<number> {
  for (let deleted = 0; ;) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where ${condition} limit ${limit}))`.execute(kysely);
    deleted += Number(numAffectedRows);
    if (numAffectedRows < limit) return deleted;
  }
}
