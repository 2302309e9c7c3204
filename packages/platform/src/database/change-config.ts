import { sql, type Transaction } from 'kysely';
import type { Database } from './database.ts';
import type { Tables } from './tables.ts';

/**
 * Runs a change of the configuration that takes several statements. It has the configuration to
 * itself, over all processes: what one statement reads still holds for the next.
 */
export const changeConfig = <Result>(
  { kysely }: Database,
  change: (transaction: Transaction<Tables>) => Promise<Result>,
): Promise<Result> =>
  kysely.transaction().execute(async (transaction) => {
    // The lock that every single statement on a configuration table takes too, see 0001_foundation.sql.
    await sql`select pg_advisory_xact_lock(7261001)`.execute(transaction);
    return change(transaction);
  });
