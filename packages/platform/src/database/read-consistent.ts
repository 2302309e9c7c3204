import { sql } from 'kysely';
import type { Queryable } from './database.ts';

/** For an answer of several statements whose parts must agree: none of them sees what came after the first. */
export const readConsistent = <Answer>(
  { kysely }: Queryable,
  read: (moment: Queryable) => Promise<Answer>,
): Promise<Answer> =>
  kysely
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (transaction) => {
      // Compiling a statement over many partitions takes PostgreSQL longer than a page may take in all. Not a setting of the connection:
      // poolers refuse those.
      await sql`set local jit = off`.execute(transaction);
      return read({ kysely: transaction });
    });
