import { sql, type Kysely, type Transaction } from 'kysely';
import type { Queryable } from './database.ts';
import type { Tables } from './tables.ts';

/**
 * Runs a change of the configuration that takes several statements. It has the configuration to
 * itself, over all processes: what one statement reads still holds for the next. Within a transaction
 * it becomes part of that one.
 */
export const changeConfig = <Result>(
  { kysely }: Queryable,
  change: (transaction: Transaction<Tables>) => Promise<Result>,
): Promise<Result> => (kysely.isTransaction ? lockFor(kysely as Transaction<Tables>, change) : begin(kysely, change));

const begin = <Result>(
  kysely: Kysely<Tables>,
  change: (transaction: Transaction<Tables>) => Promise<Result>,
): Promise<Result> => kysely.transaction().execute((transaction) => lockFor(transaction, change));

async function lockFor<Result>(
  transaction: Transaction<Tables>,
  change: (transaction: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  // The lock that every single statement on a configuration table takes too, see 0001_foundation.sql.
  await sql`select pg_advisory_xact_lock(7261001)`.execute(transaction);
  return change(transaction);
}
