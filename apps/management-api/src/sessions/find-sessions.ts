import type { Problem } from '@portcullis/contracts/envelope';
import type { SessionPage, SessionQuery } from '@portcullis/contracts/routes/sessions';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { Database } from '@portcullis/platform/database/database';
import { resolveFilters } from '@portcullis/platform/database/resolve-filters';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import type { Tables } from '@portcullis/platform/database/tables';
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import { all } from '../alerts/alert-conditions.ts';
import { parseTimeWindow, type TimeWindow } from '../alerts/time-window.ts';
import { callerConditions } from '../requests/request-filter.ts';
import { parseSessionPositionOrThrow, renderSessionPosition, type SessionPosition } from './session-cursor.ts';
import { renderSession, sessionColumns, type SessionRow } from './session-rows.ts';

/** Sessions that a page with filters looks through at most, and that an order by cost compares. */
const maxSearched = 40_000;
const dayMs = 86_400_000;

interface SessionSearch {
  readonly window: TimeWindow;
  readonly conditions: readonly RawBuilder<SqlBool>[];
  readonly limit: number;
  readonly behind: SessionPosition | undefined;
}

/** @throws {GatewayError} for times that do not exist, and a cursor that no page has given */
export async function findSessions(database: Database, query: SessionQuery, now = new Date()): Promise<SessionPage> {
  const problems: Problem[] = [];
  const window = parseTimeWindow(query, now, problems);
  if (problems.length > 0) throw new GatewayError('bad_request', { problems });
  const { limit, cursor, order, model } = query;
  const behind = cursor === undefined ? undefined : parseSessionPositionOrThrow(cursor, order);
  const named = await resolveFilters(database, query);
  const conditions = [
    ...callerConditions(named),
    ...(named.proxy === undefined ? [] : [sql<SqlBool>`logged.proxy_ids && ${named.proxy.ids}::integer[]`]),
    ...(model === undefined ? [] : [sql<SqlBool>`${model} = any(logged.models)`]),
  ];
  const search = { window, conditions, limit, behind };
  return readConsistent(database, ({ kysely }) =>
    order === 'cost' ? findHighestCost(kysely, search, now) : findLatest(kysely, search),
  );
}

const ofPeriod = ({ from, to }: TimeWindow): RawBuilder<SqlBool>[] => [
  ...(from === undefined ? [] : [sql<SqlBool>`logged.started_at >= ${from}`]),
  ...(to === undefined ? [] : [sql<SqlBool>`logged.started_at < ${to}`]),
];

async function findLatest(
  kysely: Kysely<Tables>,
  { window, conditions, limit, behind }: SessionSearch,
): Promise<SessionPage> {
  const looked = [
    ...ofPeriod(window),
    ...(behind === undefined
      ? []
      : [sql<SqlBool>`(logged.started_at, logged.id) < (${behind.startedAt}, ${behind.id})`]),
  ];
  // Without filters each row that is read is one of the page.
  const horizon = conditions.length === 0 ? undefined : await findHorizon(kysely, looked);
  const { rows } = await sql<SessionRow>`
    select ${sessionColumns} from sessions logged
    where ${all([...looked, ...notBefore(horizon), ...conditions])}
    order by logged.started_at desc, logged.id desc limit ${limit + 1}`.execute(kysely);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const isFull = rows.length > limit;
  const next = isFull && last !== undefined ? { startedAt: last.started_at, id: last.id } : horizon;
  return {
    sessions: page.map(renderSession),
    next_cursor: next === undefined ? null : renderSessionPosition(next),
    searched_from: isFull || horizon === undefined ? null : horizon.startedAt.toISOString(),
  };
}

/** Behind which sessions are not looked at, so that a page takes a bounded time; undefined: all are. */
async function findHorizon(
  kysely: Kysely<Tables>,
  conditions: readonly RawBuilder<SqlBool>[],
): Promise<SessionPosition | undefined> {
  const { rows } = await sql<{ started_at: Date; id: string }>`
    select logged.started_at, logged.id from sessions logged where ${all(conditions)}
    order by logged.started_at desc, logged.id desc offset ${maxSearched - 1} limit 1`.execute(kysely);
  const [last] = rows;
  return last && { startedAt: last.started_at, id: last.id };
}

const notBefore = (horizon: SessionPosition | undefined): RawBuilder<SqlBool>[] =>
  horizon === undefined ? [] : [sql<SqlBool>`(logged.started_at, logged.id) >= (${horizon.startedAt}, ${horizon.id})`];

async function findHighestCost(
  kysely: Kysely<Tables>,
  { window: { from, to }, conditions, limit, behind }: SessionSearch,
  now: Date,
): Promise<SessionPage> {
  const looked = ofPeriod({ from: from ?? new Date((to ?? now).getTime() - dayMs), to });
  const horizon = await findHorizon(kysely, looked);
  const further =
    behind === undefined
      ? []
      : [
          sql<SqlBool>`(logged.cost_micro_usd, logged.started_at, logged.id)
            < (${behind.costMicroUsd ?? 0}, ${behind.startedAt}, ${behind.id})`,
        ];
  const { rows } = await sql<SessionRow>`
    select ${sessionColumns} from sessions logged
    where logged.cost_micro_usd > 0 and ${all([...looked, ...notBefore(horizon), ...conditions, ...further])}
    order by logged.cost_micro_usd desc, logged.started_at desc, logged.id desc limit ${limit + 1}`.execute(kysely);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    sessions: page.map(renderSession),
    next_cursor:
      last === undefined
        ? null
        : renderSessionPosition({ startedAt: last.started_at, id: last.id, costMicroUsd: last.cost_micro_usd }),
    searched_from: horizon === undefined ? null : horizon.startedAt.toISOString(),
  };
}
