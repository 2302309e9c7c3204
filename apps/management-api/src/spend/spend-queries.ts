import type { Spend, SpendDimension, SpendQuery, SpendRow } from '@portcullis/contracts/routes/spend';
import { dayOf } from '@portcullis/core/budget/budget-month';
import { renderUsd } from '@portcullis/core/budget/usd';
import { roundPercent } from '@portcullis/core/numbers/round-to';
import type { Queryable } from '@portcullis/platform/database/database';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { all } from '../alerts/alert-conditions.ts';
import { loadGroups, parseGroupingOrThrow, renderDimensions, type GroupRow } from './group-sums.ts';
import { callerColumns, findLatestFrom, periodOf } from './latest-records.ts';
import { parseSpendWindowOrThrow, type SpendWindow } from './spend-window.ts';

interface Sums {
  readonly cost_micro_usd: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
  readonly request_count: number;
}

type Row = Sums & GroupRow;

const sums = sql.raw<Sums>(
  ['cost_micro_usd', 'input_tokens', 'output_tokens', 'total_tokens']
    .map((name) => `coalesce(sum(${name}), 0)::bigint as ${name}`)
    .concat('coalesce(sum(requests), 0)::bigint as request_count')
    .join(', '),
);

/** What stands for a dimension in a table of sums. */
const columnOfUnit = (dimension: SpendDimension, unit: SpendWindow['unit']): RawBuilder<unknown> => {
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

/** What was spent in a period, by up to three dimensions. @throws {GatewayError} for a period or an order that cannot be */
export async function loadSpend(database: Queryable, query: SpendQuery, now: Date): Promise<Spend> {
  const grouping = parseGroupingOrThrow<SpendDimension>(query);
  const { dimensions } = grouping;
  const window = parseSpendWindowOrThrow(query, dimensions, now);
  const latest = window.unit === 'record' ? await findLatestUsage(database, query, window) : undefined;
  const source = sql`${tableOf(window, latest)} where ${all(conditionsOf(query, window))}`;
  const summed = (await sql<Sums>`select ${sums} from ${source}`.execute(database.kysely)).rows[0] as Sums;
  const columnOf = (dimension: SpendDimension) => columnOfUnit(dimension, window.unit);
  const largest = sql`cost_micro_usd desc`;
  const asked = { grouping, source, columnOf, sums, largest, query };
  const { rows, total } = await loadGroups(database, asked);
  return {
    from: window.from.toISOString(),
    to: window.to?.toISOString() ?? null,
    group_by: [...dimensions],
    counted_from: latest?.toISOString() ?? (await findCountedFrom(database, window)),
    ...renderSums(summed),
    groups: rows.map((row) => renderRow(row, dimensions, summed.cost_micro_usd)),
    total,
  };
}

const findLatestUsage = (
  database: Queryable,
  { proxy }: SpendFilters,
  window: SpendWindow,
): Promise<Date | undefined> =>
  findLatestFrom(database, 'usage_records', [
    ...periodOf(window),
    ...(proxy === undefined ? [] : [sql<SqlBool>`logged.proxy_id = ${proxy}`]),
  ]);

/** What is added up, with the columns of `hourly_usage`; records look as their sums do. */
function tableOf(window: SpendWindow, latest: Date | undefined): RawBuilder<unknown> {
  if (window.unit !== 'record') return sql.table(window.unit === 'day' ? 'daily_usage' : 'hourly_usage');
  return sql`(select ${callerColumns}, logged.model, logged.session_id, 1 as requests, logged.input_tokens,
    logged.output_tokens, logged.total_tokens, logged.cost_micro_usd
    from usage_records logged where ${all(periodOf({ ...window, from: latest ?? window.from }))}) as recorded`;
}

type CallerFilters = Pick<SpendQuery, 'team' | 'key' | 'user' | 'proxy'>;
/** Which spending is meant. */
export type SpendFilters = CallerFilters & Pick<SpendQuery, 'model'>;

/** What rows of `daily_usage` or of what looks like `hourly_usage` have to be. */
export function conditionsOf(query: SpendFilters, { from, to, unit }: SpendWindow): RawBuilder<SqlBool>[] {
  const time = sql.id(unit === 'day' ? 'day' : 'hour');
  const place = (date: Date) => (unit === 'day' ? sql`${dayOf(date)}` : sql`${date}`);
  const conditions = [sql<SqlBool>`${time} >= ${place(from)}`, ...callerConditions(query)];
  if (to !== undefined) conditions.push(sql`${time} < ${place(to)}`);
  if (query.model !== undefined) conditions.push(sql`model = ${query.model}`);
  return conditions;
}

/** Who has to have called, in the columns of `hourly_usage`. */
export function callerConditions(query: CallerFilters): RawBuilder<SqlBool>[] {
  const conditions: RawBuilder<SqlBool>[] = [];
  for (const dimension of ['team', 'key', 'proxy'] as const) {
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

const renderRow = (row: Row, dimensions: readonly SpendDimension[], totalMicroUsd: number): SpendRow => ({
  ...(renderDimensions(row, dimensions) as Partial<SpendRow>),
  ...renderSums(row),
  share_percent: totalMicroUsd === 0 ? 0 : roundPercent((row.cost_micro_usd / totalMicroUsd) * 100),
});
