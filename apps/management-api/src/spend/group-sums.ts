import type { Queryable } from '@portcullis/platform/database/database';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { sql, type RawBuilder } from 'kysely';

export type GroupRow = Readonly<Record<string, unknown>>;

/** What records are told apart by. */
export interface Grouping<Dimension extends string = string> {
  readonly dimensions: readonly Dimension[];
  /** The dimension that says when, the finest first; undefined: none does. */
  readonly time: Dimension | undefined;
}

const names: Readonly<Record<string, RawBuilder<unknown> | undefined>> = {
  team: sql`(select name from user_groups where id = grouped.team) as team_name`,
  key: sql`(select name from api_keys where id = grouped.key) as key_name`,
  user: sql`(select username from users where id = grouped.user) as user_name`,
  proxy: sql`(select name from proxies where id = grouped.proxy) as proxy_name`,
};

/** @throws {GatewayError} for an order by time where no dimension has one */
export function parseGroupingOrThrow<Dimension extends string>(query: {
  readonly group_by: string;
  readonly order: string;
}): Grouping<Dimension> {
  // The pattern of the query lets no other names in.
  const dimensions = [...new Set(query.group_by.split(','))] as Dimension[];
  const time = dimensions.find((each) => each === 'hour') ?? dimensions.find((each) => each === 'day');
  if (query.order === 'time' && time === undefined) {
    const rule = 'can be time only where group_by has day or hour';
    throw new GatewayError('bad_request', { problems: [{ path: '/query/order', rule }] });
  }
  return { dimensions, time };
}

interface GroupQuery<Sums, Dimension extends string> {
  readonly grouping: Grouping<Dimension>;
  /** A table with its conditions. */
  readonly source: RawBuilder<unknown>;
  readonly columnOf: (dimension: Dimension) => RawBuilder<unknown>;
  readonly sums: RawBuilder<Sums>;
  /** What comes first, where the order is not by time. */
  readonly largest: RawBuilder<unknown>;
  readonly query: { readonly order: string; readonly limit: number; readonly offset: number };
}

/** A page of groups with their names and sums, and how many groups there are. */
export async function loadGroups<Sums, Dimension extends string>(
  { kysely }: Queryable,
  { grouping: { dimensions, time }, source, columnOf, sums, largest, query }: GroupQuery<Sums, Dimension>,
): Promise<{ readonly rows: readonly (Sums & GroupRow)[]; readonly total: number }> {
  const keys = sql.join(dimensions.map((dimension) => sql.id(dimension)));
  const order = query.order === 'time' && time !== undefined ? sql`${sql.id(time)}, ${keys}` : sql`${largest}, ${keys}`;
  const { rows } = await sql<Sums & GroupRow & { readonly groups: number }>`
    select grouped.* ${sql.join(
      dimensions.flatMap((each) => (names[each] === undefined ? [] : [sql`, ${names[each]}`])),
      sql``,
    )}
    from (
      select ${sql.join(dimensions.map((each) => sql`${columnOf(each)} as ${sql.id(each)}`))}, ${sums},
        count(*) over () as groups
      from ${source} group by ${sql.join(dimensions.map((_, at) => sql.lit(at + 1)))}
      order by ${order} limit ${query.limit} offset ${query.offset}) as grouped
    order by ${order}`.execute(kysely);
  if (rows[0] !== undefined || query.offset === 0) return { rows, total: rows[0]?.groups ?? 0 };
  // Behind the last page there is no row to tell it.
  const counted = await sql<{ readonly total: number }>`
    select count(*) as total from (
      select 1 from ${source} group by ${sql.join(dimensions.map(columnOf))}) as grouped`.execute(kysely);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

/** The fields of its dimensions; an id of 0 stands for none. */
export function renderDimensions(row: GroupRow, dimensions: readonly string[]): Readonly<Record<string, unknown>> {
  const fields = dimensions.flatMap((dimension): readonly (readonly [string, unknown])[] => {
    const value = row[dimension];
    if (value instanceof Date) return [[dimension, value.toISOString()]];
    if (names[dimension] === undefined) return [[dimension, value]];
    return [
      [dimension, value === 0 ? null : value],
      [`${dimension}_name`, row[`${dimension}_name`] ?? null],
    ];
  });
  return Object.fromEntries(fields);
}
