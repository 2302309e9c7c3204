import type { RequestPage, RequestQuery } from '@portcullis/contracts/routes/requests';
import type { Database } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import type { Tables } from '@portcullis/platform/database/tables';
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import { all } from '../alerts/alert-conditions.ts';
import {
  parseCostPositionOrThrow,
  parsePositionOrThrow,
  renderCostPosition,
  renderPosition,
  type CostPosition,
  type RequestPosition,
} from './request-cursor.ts';
import { findProxies } from './find-proxies.ts';
import { loadRequestFilterOrThrow, type RequestFilter } from './request-filter.ts';
import { renderRequest, requestColumns, requestJoins, type RequestRow } from './render-request.ts';

/** Requests that a page with filters looks through at most, and that an order by cost compares: all proxies together. */
const maxSearched = 40_000;
/** Fewer of a proxy would make pages of many proxies empty. */
const minSearchedOfProxy = 500;
const dayMs = 86_400_000;

export async function findRequests(database: Database, query: RequestQuery): Promise<RequestPage> {
  const asked = await loadRequestFilterOrThrow(database, query);
  const { limit, cursor } = query;
  if (query.order === 'cost') {
    const behind = cursor === undefined ? undefined : parseCostPositionOrThrow(cursor);
    return readConsistent(database, async ({ kysely }) =>
      findDearest(kysely, await withinSession(kysely, asked, query.session), { limit, behind }),
    );
  }
  const before = cursor === undefined ? undefined : parsePositionOrThrow(cursor);
  return readConsistent(database, async ({ kysely }) =>
    findNewest(kysely, await withinSession(kysely, asked, query.session), { limit, before }),
  );
}

/** What is looked through for a session is what was called while it lasted. */
async function withinSession(
  kysely: Kysely<Tables>,
  filter: RequestFilter,
  sessionId: string | undefined,
): Promise<RequestFilter> {
  if (sessionId === undefined) return filter;
  const session = await kysely
    .selectFrom('sessions')
    .select(['started_at', 'last_at'])
    .where('id', '=', sessionId)
    .executeTakeFirst();
  if (session === undefined) return { ...filter, window: { from: new Date(0), to: new Date(0) } };
  const { from = session.started_at, to } = filter.window;
  const end = new Date(session.last_at.getTime() + 1);
  const window = {
    from: from > session.started_at ? from : session.started_at,
    to: to !== undefined && to < end ? to : end,
  };
  return { ...filter, window };
}

interface TimePage {
  readonly limit: number;
  readonly before: RequestPosition | undefined;
}

/** The newest of each proxy out of its index, and of these the newest. */
async function findNewest(
  kysely: Kysely<Tables>,
  filter: RequestFilter,
  { limit, before }: TimePage,
): Promise<RequestPage> {
  const proxies = filter.proxyIds ?? (await findProxies(kysely));
  const ofPeriod = periodConditions(filter, before);
  // Without filters each row that is read is one of the page.
  const horizon =
    filter.condition === undefined ? undefined : await findHorizon(kysely, 'request_logs', proxies, ofPeriod);
  const conditions = [
    ...ofPeriod,
    ...(filter.condition === undefined ? [] : [filter.condition]),
    ...(horizon === undefined
      ? []
      : [
          // Days are left out by their times alone.
          sql<SqlBool>`logged.timestamp >= ${horizon.timestamp}`,
          sql<SqlBool>`(logged.timestamp, logged.event_id) >= (${horizon.timestamp}, ${horizon.eventId}::uuid)`,
        ]),
  ];
  const { rows } = await sql<RequestRow>`
    with newest as (
      select found.* from unnest(${proxies}::int[]) as proxy(id) cross join lateral (
        select * from request_logs logged where logged.proxy_id = proxy.id and ${all(conditions)}
        order by logged.timestamp desc, logged.event_id desc limit ${limit + 1}) found
      order by found.timestamp desc, found.event_id desc limit ${limit + 1})
    select ${requestColumns} from newest logged ${requestJoins}
    order by logged.timestamp desc, logged.event_id desc`.execute(kysely);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const isFull = rows.length > limit;
  const next = isFull && last !== undefined ? { timestamp: last.timestamp, eventId: last.event_id } : horizon;
  return {
    requests: page.map(renderRequest),
    next_cursor: next === undefined ? null : renderPosition(next),
    searched_from: isFull || horizon === undefined ? null : horizon.timestamp.toISOString(),
  };
}

/** Behind which requests are not looked at, so that a page takes a bounded time; undefined: all are. */
async function findHorizon(
  kysely: Kysely<Tables>,
  table: 'request_logs' | 'usage_records',
  proxies: readonly number[],
  conditions: readonly RawBuilder<SqlBool>[],
): Promise<RequestPosition | undefined> {
  const searched = Math.max(minSearchedOfProxy, Math.floor(maxSearched / Math.max(1, proxies.length)));
  const { rows } = await sql<{ timestamp: Date; event_id: string }>`
    select last.timestamp, last.event_id from unnest(${proxies}::int[]) as proxy(id) cross join lateral (
      select logged.timestamp, logged.event_id from ${sql.table(table)} logged
      where logged.proxy_id = proxy.id and ${all(conditions)}
      order by logged.timestamp desc, logged.event_id desc offset ${searched - 1} limit 1) last
    order by last.timestamp desc, last.event_id desc limit 1`.execute(kysely);
  const [last] = rows;
  return last && { timestamp: last.timestamp, eventId: last.event_id };
}

const periodConditions = ({ window: { from, to } }: RequestFilter, before?: RequestPosition): RawBuilder<SqlBool>[] => [
  ...(from === undefined ? [] : [sql<SqlBool>`logged.timestamp >= ${from}`]),
  ...(to === undefined ? [] : [sql<SqlBool>`logged.timestamp < ${to}`]),
  ...(before === undefined
    ? []
    : [
        sql<SqlBool>`logged.timestamp <= ${before.timestamp}`,
        sql<SqlBool>`(logged.timestamp, logged.event_id) < (${before.timestamp}, ${before.eventId}::uuid)`,
      ]),
];

interface CostPage {
  readonly limit: number;
  readonly behind: CostPosition | undefined;
}

/** What cost something, of the latest that were counted. */
async function findDearest(
  kysely: Kysely<Tables>,
  filter: RequestFilter,
  { limit, behind }: CostPage,
): Promise<RequestPage> {
  const { from, to } = filter.window;
  const window = { from: from ?? new Date((to?.getTime() ?? Date.now()) - dayMs), to };
  const proxies = filter.proxyIds ?? (await findProxies(kysely));
  const ofPeriod = periodConditions({ ...filter, window });
  const horizon = await findHorizon(kysely, 'usage_records', proxies, ofPeriod);
  const conditions = [
    ...ofPeriod,
    ...(horizon === undefined ? [] : [sql<SqlBool>`logged.timestamp >= ${horizon.timestamp}`]),
    ...(behind === undefined
      ? []
      : [
          sql<SqlBool>`(logged.cost_micro_usd, logged.timestamp, logged.event_id)
            < (${behind.costMicroUsd}, ${behind.timestamp}, ${behind.eventId}::uuid)`,
        ]),
  ];
  const { rows } = await sql<RequestRow>`
    with dear as (
      select logged.* from (
        select proxy_id, timestamp, event_id, cost_micro_usd from usage_records logged
        where proxy_id = any(${proxies}::int[]) and cost_micro_usd > 0 and ${all(conditions)}) counted
      join request_logs logged on logged.proxy_id = counted.proxy_id and logged.timestamp = counted.timestamp
        and logged.event_id = counted.event_id
      where ${filter.condition ?? sql`true`}
      order by counted.cost_micro_usd desc, logged.timestamp desc, logged.event_id desc
      limit ${limit + 1})
    select ${requestColumns} from dear logged ${requestJoins}
    order by counted.cost_micro_usd desc, logged.timestamp desc, logged.event_id desc`.execute(kysely);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const next = rows.length > limit ? last : undefined;
  return {
    requests: page.map(renderRequest),
    next_cursor: next === undefined ? null : renderCostPosition(costPositionOf(next)),
    searched_from: horizon === undefined ? null : horizon.timestamp.toISOString(),
  };
}

const costPositionOf = ({ cost_micro_usd: cost, timestamp, event_id: eventId }: RequestRow): CostPosition => ({
  costMicroUsd: cost ?? 0,
  timestamp,
  eventId,
});
