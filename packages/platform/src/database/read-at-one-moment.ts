import type { Transaction } from 'kysely';
import type { Queryable } from './database.ts';
import type { Tables } from './tables.ts';

/** For an answer of several statements whose parts must agree: none of them sees what came after the first. */
export const readAtOneMoment = <Answer>(
  { kysely }: Queryable,
  read: (transaction: Transaction<Tables>) => Promise<Answer>,
): Promise<Answer> =>
  kysely.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
