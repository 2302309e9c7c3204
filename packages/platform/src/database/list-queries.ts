import {
  sql,
  type AnyColumn,
  type AnyColumnWithTable,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
} from 'kysely';

type Values<Tables, Names extends keyof Tables> = {
  readonly [Column in AnyColumn<Tables, Names> | AnyColumnWithTable<Tables, Names>]?:
    | string
    | number
    | boolean
    | undefined;
};

/** Narrows a query to rows with these values; undefined ones are passed over. */
export function whereEqual<Tables, Names extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Names, Row>,
  values: Values<Tables, Names>,
): SelectQueryBuilder<Tables, Names, Row> {
  let narrowed = query;
  for (const [column, value] of Object.entries(values)) {
    if (value !== undefined) narrowed = narrowed.where(sql<SqlBool>`${sql.ref(column)} = ${value}`);
  }
  return narrowed;
}

/** Narrows a query to rows whose text contains what is searched, in any case; all rows where nothing is. */
export const whereContains = <Tables, Names extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Names, Row>,
  text: RawBuilder<unknown>,
  search: string | undefined,
): SelectQueryBuilder<Tables, Names, Row> =>
  search === undefined ? query : query.where(sql<SqlBool>`strpos(lower(${text}), lower(${search})) > 0`);

/** How many rows a query has, whatever it selects. */
export async function countRows<Tables, Names extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Names, Row>,
): Promise<number> {
  const counted = query
    .clearSelect()
    .clearOrderBy()
    .select(sql<number>`count(*)`.as('total'));
  const { total } = await counted.$castTo<{ readonly total: number }>().executeTakeFirstOrThrow();
  return total;
}

/** A page of a query in its order, and how many rows it has in all. Both of one moment when its database is one. */
export async function loadPage<Tables, Names extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Names, Row>,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: Row[]; readonly total: number }> {
  return { total: await countRows(query), rows: await query.limit(limit).offset(offset).execute() };
}
