import type { RefusalDimension, RefusalQuery, RefusalRow, Refusals } from '@portcullis/contracts/routes/spend';
import { roundPercent } from '@portcullis/core/numbers/round-to';
import type { Queryable } from '@portcullis/platform/database/database';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { all } from '../alerts/alert-conditions.ts';
import { outcomes } from '../requests/request-filter.ts';
import { loadGroups, parseGroupingOrThrow, renderDimensions, type GroupRow } from './group-sums.ts';
import { callerColumns, findLatestFrom, periodOf } from './latest-records.ts';
import { callerConditions } from './spend-queries.ts';
import { parseRecordWindowOrThrow } from './spend-window.ts';

interface Sums {
  readonly request_count: number;
  readonly last_at: Date;
}

const columns: Readonly<Record<RefusalDimension, RawBuilder<unknown>>> = {
  team: sql`user_group_id`,
  key: sql`api_key_id`,
  user: sql`user_id`,
  proxy: sql`proxy_id`,
  reason: sql`denied_reason`,
  stage: sql`denied_stage`,
  day: sql`to_char(hour at time zone 'utc', 'YYYY-MM-DD')`,
  hour: sql`hour`,
};

// A record may stand for many requests of one caller.
const sums = sql<Sums>`coalesce(sum(requests), 0)::bigint as request_count, max(timestamp) as last_at`;

/** Which requests were refused in a period, by up to three dimensions. @throws {GatewayError} for a period or an order that cannot be */
export async function loadRefusals(database: Queryable, query: RefusalQuery, now: Date): Promise<Refusals> {
  const grouping = parseGroupingOrThrow<RefusalDimension>(query);
  const window = parseRecordWindowOrThrow(query, now);
  const latest = await findLatestFrom(database, 'request_logs', [...periodOf(window), outcomes.refused]);
  const source = sql`(
      select ${callerColumns}, logged.denied_reason, logged.denied_stage, logged.requests, logged.timestamp
      from request_logs logged
      where ${all([...periodOf({ ...window, from: latest ?? window.from }), outcomes.refused])}) as refused
    where ${all([...callerConditions(query), ...reasonConditions(query)])}`;
  const summed = (await sql<Sums>`select ${sums} from ${source}`.execute(database.kysely)).rows[0] as Sums;
  const columnOf = (dimension: RefusalDimension) => columns[dimension];
  const asked = { grouping, source, columnOf, sums, largest: sql`request_count desc`, query };
  const { rows, total } = await loadGroups(database, asked);
  return {
    from: window.from.toISOString(),
    to: window.to?.toISOString() ?? null,
    group_by: [...grouping.dimensions],
    counted_from: latest?.toISOString() ?? null,
    request_count: summed.request_count,
    groups: rows.map((row) => renderRow(row, grouping.dimensions, summed.request_count)),
    total,
  };
}

const reasonConditions = ({ reason, stage }: RefusalQuery): RawBuilder<SqlBool>[] => [
  ...(reason === undefined ? [] : [sql<SqlBool>`denied_reason = ${reason}`]),
  ...(stage === undefined ? [] : [sql<SqlBool>`denied_stage = ${stage}`]),
];

const renderRow = (row: Sums & GroupRow, dimensions: readonly RefusalDimension[], total: number): RefusalRow => ({
  ...(renderDimensions(row, dimensions) as Partial<RefusalRow>),
  request_count: row.request_count,
  last_at: row.last_at.toISOString(),
  share_percent: total === 0 ? 0 : roundPercent((row.request_count / total) * 100),
});
