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
    .execute((transaction) => read({ kysely: transaction }));
