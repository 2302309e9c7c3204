import { CompiledQuery, type Kysely, type QueryResult, type RawBuilder } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * A statement that runs again and again: it is written once, and where a connection keeps plans it is
 * planned once, which takes the embedded database longer than a hundred rows. Its name stands behind it.
 * @param name of its plan; without one it is planned each time
 * @param write the statement, with an `undefined` for each of the values that it is given every time
 */
export function prepare<Row>(
  name: string | undefined,
  write: (kysely: Kysely<Tables>) => RawBuilder<Row>,
): (kysely: Kysely<Tables>, ...given: readonly unknown[]) => Promise<QueryResult<Row>> {
  let written: { readonly text: string; readonly parameters: readonly unknown[] } | undefined;
  const compile = (kysely: Kysely<Tables>) => {
    const { sql, parameters } = write(kysely).compile(kysely);
    return { text: name === undefined ? sql : `${sql} /* prepared ${name} */`, parameters };
  };
  return (kysely, ...given) => {
    const { text, parameters } = (written ??= compile(kysely));
    let taken = 0;
    const values = parameters.map((value) => (value === undefined ? given[taken++] : value));
    return kysely.executeQuery<Row>(CompiledQuery.raw(text, values));
  };
}

export const findPlanName = (sql: string): string | undefined => / \/\* prepared (\w+) \*\/$/.exec(sql)?.[1];
