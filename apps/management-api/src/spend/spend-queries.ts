import type { Spend, SpendDimension, SpendQuery, SpendRow } from '@portcullis/contracts/routes/spend';
import { dayOf } from '@portcullis/core/budget/budget-month';
import { renderUsd } from '@portcullis/core/budget/usd';
import { roundPercent } from '@portcullis/core/numbers/round-to';
import type { Queryable } from '@portcullis/platform/database/database';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { all } from '../alerts/alert-conditions.ts';
import { parseSpendWindowOrThrow, type SpendWindow } from './spend-window.ts';

interface Sums {
  readonly cost_micro_usd: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
  readonly request_count: number;
}

type Row = Sums & Readonly<Record<string, unknown>>;

const sums = sql.raw(
  ['cost_micro_usd', 'input_tokens', 'output_tokens', 'total_tokens']
    .map((name) => `coalesce(sum(${name}), 0)::bigint as ${name}`)
    .concat('coalesce(sum(requests), 0)::bigint as request_count')
    .join(', '),
);

/** What stands for a dimension in a table of sums. */
const columnOf = (dimension: SpendDimension, unit: SpendWindow['unit']): RawBuilder<unknown> => {
  if (dimension === 'day') return unit === 'day' ? sql`day` : sql`to_char(hour at time zone 'utc', 'YYYY-MM-DD')`;
  return sql.id(columns[dimension]);
};

const columns = {
  team: 'user_group_id',
  key: 'api_key_id',
  user: 'user_id',
  proxy: 'proxy_id',
  model: 'model',
  hour: 'hour',
  session: 'session_id',
} as const;

const names: Readonly<Partial<Record<SpendDimension, RawBuilder<unknown>>>> = {
  team: sql`(select name from user_groups where id = grouped.team) as team_name`,
  key: sql`(select name from api_keys where id = grouped.key) as key_name`,
  user: sql`(select username from users where id = grouped.user) as user_name`,
  proxy: sql`(select name from proxies where id = grouped.proxy) as proxy_name`,
};

/** What was spent in a period, by up to three dimensions. @throws {GatewayError} for a period or an order that cannot be */
export async function loadSpend(database: Queryable, query: SpendQuery, now: Date): Promise<Spend> {
  const dimensions = [...new Set(query.group_by.split(','))] as SpendDimension[];
  const time = dimensions.find((dimension) => dimension === 'hour') ?? dimensions.find((each) => each === 'day');
  if (query.order === 'time' && time === undefined) {
    const rule = 'can be time only where group_by has day or hour';
    throw new GatewayError('bad_request', { problems: [{ path: '/query/order', rule }] });
  }
  const window = parseSpendWindowOrThrow(query, dimensions, now);
  const latest = window.unit === 'record' ? await findLatestFrom(database, query, window) : undefined;
  const source = sql`${tableOf(window, latest)} where ${all(conditionsOf(query, window))}`;
  const total = (await sql<Sums>`select ${sums} from ${source}`.execute(database.kysely)).rows[0] as Sums;
  const keys = sql.join(dimensions.map((dimension) => sql.id(dimension)));
  const order = query.order === 'time' ? sql`${sql.id(time ?? 'day')}, ${keys}` : sql`cost_micro_usd desc, ${keys}`;
  const { rows } = await sql<Row & { readonly groups: number }>`
    select grouped.* ${sql.join(
      dimensions.flatMap((each) => (names[each] === undefined ? [] : [sql`, ${names[each]}`])),
      sql``,
    )}
    from (
      select ${sql.join(dimensions.map((each) => sql`${columnOf(each, window.unit)} as ${sql.id(each)}`))}, ${sums},
        count(*) over () as groups
      from ${source} group by ${sql.join(dimensions.map((_, at) => sql.lit(at + 1)))}
      order by ${order} limit ${query.limit} offset ${query.offset}) as grouped
    order by ${order}`.execute(database.kysely);
  return {
    from: window.from.toISOString(),
    to: window.to?.toISOString() ?? null,
    group_by: dimensions,
    counted_from: latest?.toISOString() ?? (await findCountedFrom(database, window)),
    ...renderSums(total),
    groups: rows.map((row) => renderRow(row, dimensions, total.cost_micro_usd)),
    total: rows[0]?.groups ?? (query.offset === 0 ? 0 : await countGroups(database, dimensions, window, source)),
  };
}

/** Records that are added up at most where no sums are kept. */
const maxRecords = 40_000;

/** Before which records are not added up, so that an answer takes a bounded time; undefined: all are. */
async function findLatestFrom({ kysely }: Queryable, { proxy }: Filters, window: SpendWindow) {
  const { rows } = await sql<{ readonly timestamp: Date }>`
    select timestamp from usage_records
    where ${all(periodOf(window))} and ${proxy === undefined ? sql`true` : sql`proxy_id = ${proxy}`}
    order by timestamp desc offset ${maxRecords - 1} limit 1`.execute(kysely);
  return rows[0]?.timestamp;
}

const periodOf = ({ from, to }: SpendWindow): RawBuilder<SqlBool>[] => [
  sql`timestamp >= ${from}`,
  ...(to === undefined ? [] : [sql<SqlBool>`timestamp < ${to}`]),
];

/** What is added up, with the columns of `hourly_usage`; records look as their sums do. */
function tableOf(window: SpendWindow, latest: Date | undefined): RawBuilder<unknown> {
  if (window.unit !== 'record') return sql.table(window.unit === 'day' ? 'daily_usage' : 'hourly_usage');
  return sql`(select date_bin('1 hour', timestamp, '2000-01-01T00:00:00Z') as hour, proxy_id,
    coalesce(user_group_id, 0) as user_group_id, coalesce(api_key_id, 0) as api_key_id,
    coalesce(user_id, (select owner_id from api_keys where api_keys.id = api_key_id), 0) as user_id, model, session_id,
    1 as requests, input_tokens, output_tokens, total_tokens, cost_micro_usd
    from usage_records where ${all(periodOf({ ...window, from: latest ?? window.from }))}) as recorded`;
}

/** Behind the last page there is no row to tell it. */
async function countGroups(
  { kysely }: Queryable,
  dimensions: readonly SpendDimension[],
  { unit }: SpendWindow,
  source: RawBuilder<unknown>,
): Promise<number> {
  const keys = sql.join(dimensions.map((each) => columnOf(each, unit)));
  const { rows } = await sql<{ readonly total: number }>`
    select count(*) as total from (select 1 from ${source} group by ${keys}) as grouped`.execute(kysely);
  return rows[0]?.total ?? 0;
}

type Filters = Pick<SpendQuery, 'team' | 'key' | 'user' | 'proxy' | 'model'>;

function conditionsOf(query: Filters, { from, to, unit }: SpendWindow): RawBuilder<SqlBool>[] {
  const time = sql.id(unit === 'day' ? 'day' : 'hour');
  const place = (date: Date) => (unit === 'day' ? sql`${dayOf(date)}` : sql`${date}`);
  const conditions = [sql<SqlBool>`${time} >= ${place(from)}`];
  if (to !== undefined) conditions.push(sql`${time} < ${place(to)}`);
  for (const dimension of ['team', 'key', 'proxy', 'model'] as const) {
    const value = query[dimension];
    if (value !== undefined) conditions.push(sql`${sql.id(columns[dimension])} = ${value}`);
  }
  if (query.user !== undefined) {
    conditions.push(sql`user_id = any(array(
      select id from users where username = ${query.user} or lower(email) = ${query.user.toLowerCase()}))`);
  }
  return conditions;
}

/** Hours are counted since a version of the gateway; days before it are not among them. */
async function findCountedFrom({ kysely }: Queryable, { from, to, unit }: SpendWindow): Promise<string | null> {
  if (unit !== 'hour') return null;
  const { rows } = await sql<{ readonly first: Date | null; readonly earlier: boolean }>`
    select first, exists (select from daily_usage where day >= ${dayOf(from)}
      and day < coalesce(to_char(first at time zone 'utc', 'YYYY-MM-DD'), '9999')
      ${to === undefined ? sql`` : sql`and day < ${dayOf(to)}`}) as earlier
    from (select min(hour) as first from hourly_usage) as counted`.execute(kysely);
  const [found] = rows;
  return found?.earlier === true ? (found.first ?? to ?? new Date()).toISOString() : null;
}

const renderSums = ({ cost_micro_usd: cost, input_tokens, output_tokens, total_tokens, request_count }: Sums) => ({
  total_cost: renderUsd(cost),
  input_tokens,
  output_tokens,
  total_tokens,
  request_count,
});

function renderRow(row: Row, dimensions: readonly SpendDimension[], totalMicroUsd: number): SpendRow {
  const fields = dimensions.flatMap((dimension): readonly (readonly [string, unknown])[] => {
    const value = row[dimension];
    if (value instanceof Date) return [[dimension, value.toISOString()]];
    if (names[dimension] === undefined) return [[dimension, value]];
    return [
      [dimension, value === 0 ? null : value],
      [`${dimension}_name`, row[`${dimension}_name`] ?? null],
    ];
  });
  return {
    ...(Object.fromEntries(fields) as Partial<SpendRow>),
    ...renderSums(row),
    share_percent: totalMicroUsd === 0 ? 0 : roundPercent((row.cost_micro_usd / totalMicroUsd) * 100),
  };
}
