import { CompiledQuery, type Kysely, type RawBuilder } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * A statement that runs with every batch: it is written once, and where a connection keeps plans it is
 * planned once, which takes the embedded database longer than a hundred rows. Its name stands behind it.
 * @param write the statement with `undefined` for its parameter, the only one that it may have
 */
export function prepare(
  name: string,
  write: () => RawBuilder<unknown>,
): (kysely: Kysely<Tables>, parameter: unknown) => Promise<unknown> {
  let text: string | undefined;
  return (kysely, parameter) => {
    text ??= `${write().compile(kysely).sql} /* prepared ${name} */`;
    return kysely.executeQuery(CompiledQuery.raw(text, [parameter]));
  };
}

export const findPlanName = (sql: string): string | undefined => / \/\* prepared (\w+) \*\/$/.exec(sql)?.[1];
