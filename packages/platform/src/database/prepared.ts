import { CompiledQuery, type Kysely, type QueryResult, type RawBuilder } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * A statement that runs again and again: it is written once, and where a connection keeps plans it is
 * planned once, which takes the embedded database longer than a hundred rows. Its name stands behind it.
 * @param write the statement, with `undefined` for what it is given each time, if anything
 */
export function prepare<Row>(
  name: string,
  write: (kysely: Kysely<Tables>) => RawBuilder<Row>,
): (kysely: Kysely<Tables>, given?: unknown) => Promise<QueryResult<Row>> {
  let written: { readonly text: string; readonly parameters: readonly unknown[] } | undefined;
  const compile = (kysely: Kysely<Tables>) => {
    const { sql, parameters } = write(kysely).compile(kysely);
    return { text: `${sql} /* prepared ${name} */`, parameters };
  };
  return (kysely, given) => {
    const { text, parameters } = (written ??= compile(kysely));
    const values = parameters.map((value) => (value === undefined ? given : value));
    return kysely.executeQuery<Row>(CompiledQuery.raw(text, values));
  };
}

export const findPlanName = (sql: string): string | undefined => / \/\* prepared (\w+) \*\/$/.exec(sql)?.[1];
