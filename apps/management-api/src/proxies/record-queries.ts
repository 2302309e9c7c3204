import type { RequestLog, RequestTokens, ProxyStats, TokenUsage } from '@portcullis/contracts/routes/proxy-records';
import { renderUsd } from '@portcullis/core/budget/usd';
import { roundMs } from '@portcullis/core/numbers/round-to';
import type { Database } from '@portcullis/platform/database/database';
import { resolveFilters, type NamedFilters } from '@portcullis/platform/database/resolve-filters';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import type { Tables } from '@portcullis/platform/database/tables';
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import { all } from '../alerts/alert-conditions.ts';
import type { TimeWindow } from '../alerts/time-window.ts';
import { loadDayCounts } from '../alerts/alert-day-counts.ts';
import { callerConditions, logConditions } from '../requests/request-filter.ts';

const topEndpoints = 10;
/** Requests that the top endpoints are counted among, the latest. */
const rankedRequests = 20_000;
const recentUsage = 100;
const mostModels = 100;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

interface LogFilter extends NamedFilters {
  /** Comma-separated status codes and classes, for example `429,5xx`. */
  readonly status?: string;
  readonly window: TimeWindow;
  readonly request_id?: string;
  readonly search?: string;
}

async function logsWhere(
  database: Database,
  proxyId: number,
  { window: { from, to }, ...filter }: LogFilter,
): Promise<RawBuilder<SqlBool>> {
  return all([
    sql`proxy_id = ${proxyId}`,
    ...logConditions(filter),
    ...callerConditions(await resolveFilters(database, filter)),
    ...(from === undefined ? [] : [sql<SqlBool>`timestamp >= ${from}`]),
    ...(to === undefined ? [] : [sql<SqlBool>`timestamp < ${to}`]),
  ]);
}

interface LogPage extends LogFilter {
  readonly limit: number;
  readonly offset: number;
  readonly include_tokens?: boolean;
  readonly include_budget_check?: boolean;
}

export async function listRequestLogs(
  database: Database,
  proxyId: number,
  { limit, offset, include_tokens: withTokens, include_budget_check: withBudget, ...filter }: LogPage,
): Promise<RequestLog[]> {
  const { kysely } = database;
  const rows = await kysely
    .selectFrom('request_logs as logged')
    .where(await logsWhere(database, proxyId, filter))
    .select([
      'id',
      'proxy_id as proxy_config_id',
      'timestamp',
      'request_id',
      'requests',
      'method',
      'path',
      'status_code',
      'duration_ms',
      'request_size',
      'response_size',
      'client_ip',
      'user_agent',
      'api_key_id',
      'user_group_id',
      'user_id',
      (of) => of.selectFrom('users').whereRef('users.id', '=', 'logged.user_id').select('username').as('user_identity'),
      'risk_level',
      'denied_reason',
      'denied_stage',
      'target_problem',
    ])
    .orderBy('timestamp', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .$narrowType<{ risk_level: RequestLog['risk_level'] }>()
    .execute();
  const tokens = withTokens === true ? await loadTokens(kysely, proxyId, rows) : undefined;
  return rows.map((row) => ({
    ...row,
    timestamp: row.timestamp.toISOString(),
    ...(tokens !== undefined && { tokens: tokens.get(row.request_id) ?? null }),
    ...(withBudget === true && { budget_check: budgetCheckOf(row) }),
  }));
}

/** By the ids of the requests. */
async function loadTokens(
  kysely: Kysely<Tables>,
  proxyId: number,
  rows: readonly { readonly timestamp: Date; readonly request_id: string }[],
): Promise<ReadonlyMap<string, RequestTokens>> {
  if (rows.length === 0) return new Map();
  const found = await kysely
    .selectFrom('usage_records')
    .where('proxy_id', '=', proxyId)
    // What was counted of a request is dated as it is.
    .where('timestamp', 'in', [...new Set(rows.map(({ timestamp }) => timestamp))])
    .select(['request_id', 'model', 'input_tokens', 'output_tokens', 'total_tokens', 'cost_micro_usd', 'estimated'])
    .execute();
  return new Map(
    found.map(({ request_id, cost_micro_usd, ...rest }) => [request_id, { ...rest, cost: renderUsd(cost_micro_usd) }]),
  );
}

/** Stages that come before the budget is looked at. */
const beforeBudget: ReadonlySet<string> = new Set(['check-framing', 'identify', 'check-group', 'check-access']);

const budgetCheckOf = ({
  denied_reason: reason,
  denied_stage: stage,
  user_group_id: group,
}: Pick<RequestLog, 'denied_reason' | 'denied_stage' | 'user_group_id'>): NonNullable<RequestLog['budget_check']> => {
  if (group === null || (stage !== null && beforeBudget.has(stage))) return 'not_checked';
  return reason === 'budget_exceeded' ? 'exceeded' : 'passed';
};

/** Whole hours come from their sums; of the requests themselves only those of the hour that the window begins in are read. */
export const loadProxyStats = (database: Database, proxyId: number, hours: number): Promise<ProxyStats> =>
  readConsistent(database, ({ kysely }) => sumUpRequests(kysely, proxyId, hours));

async function sumUpRequests(kysely: Kysely<Tables>, proxyId: number, hours: number): Promise<ProxyStats> {
  const since = new Date(Date.now() - hours * hourMs);
  const firstHour = new Date(Math.ceil(since.getTime() / hourMs) * hourMs);
  const logs = kysely.selectFrom('request_logs').where('proxy_id', '=', proxyId).where('timestamp', '>', since);
  const edge = logs
    .where('timestamp', '<', firstHour)
    .select([
      sql<number>`sum(requests)`.as('requests'),
      sql<number>`coalesce(sum(requests) filter (where status_code >= 400), 0)`.as('failed'),
      sql<number>`sum(duration_ms)`.as('duration_ms'),
      sql<number>`sum(request_size + response_size)`.as('bytes'),
    ]);
  const whole = kysely
    .selectFrom('hourly_requests')
    .where('proxy_id', '=', proxyId)
    .where('hour', '>=', firstHour)
    .select(['requests', 'failed', 'duration_ms', 'bytes']);
  const sums = await kysely
    .selectFrom(whole.unionAll(edge).as('parts'))
    .select([
      sql<number>`coalesce(sum(requests), 0)::bigint`.as('total_requests'),
      sql<number>`coalesce(sum(requests - failed), 0)::bigint`.as('successful_requests'),
      sql<number>`coalesce(sum(failed), 0)::bigint`.as('failed_requests'),
      sql<number>`coalesce(sum(duration_ms) / nullif(sum(requests), 0), 0)::double precision`.as(
        'avg_response_time_ms',
      ),
      sql<number>`coalesce(sum(bytes), 0)::bigint`.as('total_data_transferred'),
    ])
    .executeTakeFirstOrThrow();
  const latest = logs.select(['path', 'requests']).orderBy('timestamp', 'desc').limit(rankedRequests);
  const endpoints = await kysely
    .selectFrom(latest.as('latest'))
    .select(['path', sql<number>`sum(requests)`.as('count')])
    .groupBy('path')
    .orderBy('count', 'desc')
    .orderBy('path')
    .limit(topEndpoints)
    .execute();
  const alerts = await loadDayCounts(kysely, { proxyIds: [proxyId], from: since }, undefined);
  return {
    proxy_id: proxyId,
    time_range_hours: hours,
    ...sums,
    avg_response_time_ms: roundMs(sums.avg_response_time_ms),
    alerts_triggered: alerts.reduce((sum, { count }) => sum + count, 0),
    top_endpoints: endpoints,
  };
}

/** Whole UTC days come from their sums; of the records themselves only those of the day that the period begins in are read. */
export const loadTokenUsage = (database: Database, proxy: NamedProxy, days: number): Promise<TokenUsage> =>
  readConsistent(database, ({ kysely }) => sumUpTokens(kysely, proxy, days));

interface NamedProxy {
  readonly id: number;
  readonly name: string;
}

async function sumUpTokens(kysely: Kysely<Tables>, proxy: NamedProxy, days: number): Promise<TokenUsage> {
  const since = new Date(Date.now() - days * dayMs);
  const firstDay = new Date(Math.ceil(since.getTime() / dayMs) * dayMs);
  const records = kysely.selectFrom('usage_records').where('proxy_id', '=', proxy.id).where('timestamp', '>', since);
  const edge = records
    .where('timestamp', '<', firstDay)
    .select(['total_tokens', 'cost_micro_usd', sql<number>`1`.as('requests')]);
  const whole = kysely
    .selectFrom('daily_usage')
    .where('proxy_id', '=', proxy.id)
    .where('day', '>=', firstDay.toISOString().slice(0, 10))
    .select(['total_tokens', 'cost_micro_usd', 'requests']);
  const totals = await kysely
    .selectFrom(whole.unionAll(edge).as('parts'))
    .select([
      sql<number>`coalesce(sum(total_tokens), 0)::bigint`.as('total_tokens'),
      sql<number>`coalesce(sum(cost_micro_usd), 0)::bigint`.as('cost_micro_usd'),
      sql<number>`coalesce(sum(requests), 0)::bigint`.as('request_count'),
    ])
    .executeTakeFirstOrThrow();
  const recent = await records
    .select(['id', 'timestamp', 'model', 'input_tokens', 'output_tokens', 'total_tokens', 'cost_micro_usd'])
    .select(['cached_input_tokens', 'cache_write_tokens', 'reasoning_tokens', 'priced', 'estimated', 'request_id'])
    .select('stated_cost_micro_usd')
    .orderBy('timestamp', 'desc')
    .orderBy('id', 'desc')
    .limit(recentUsage)
    .execute();
  return {
    proxy_id: proxy.id,
    proxy_name: proxy.name,
    period_days: days,
    totals: {
      total_tokens: totals.total_tokens,
      total_cost: renderUsd(totals.cost_micro_usd),
      request_count: totals.request_count,
    },
    recent_usage: recent.map(({ cost_micro_usd: cost, stated_cost_micro_usd: stated, timestamp, ...same }) => ({
      ...same,
      timestamp: timestamp.toISOString(),
      cost: renderUsd(cost),
      stated_cost: stated === null ? null : renderUsd(stated),
    })),
    records_count: recent.length,
    ...(await sumByModel(kysely, proxy.id, days)),
  };
}

/** Highest cost first, out of the sums per day, which hold at any amount of traffic. */
async function sumByModel(kysely: Kysely<Tables>, proxyId: number, days: number) {
  const rows = await kysely
    .selectFrom('daily_usage')
    .select([
      'model',
      sql<number>`sum(input_tokens)::bigint`.as('input_tokens'),
      sql<number>`sum(output_tokens)::bigint`.as('output_tokens'),
      sql<number>`sum(total_tokens)::bigint`.as('total_tokens'),
      sql<number>`sum(cost_micro_usd)::bigint`.as('cost_micro_usd'),
      sql<number>`sum(requests)::bigint`.as('request_count'),
      sql<number>`count(*) over ()`.as('models_total'),
    ])
    .where('proxy_id', '=', proxyId)
    .where('day', '>', sql<string>`to_char(now() at time zone 'utc' - make_interval(days => ${days}), 'YYYY-MM-DD')`)
    .groupBy('model')
    .orderBy('cost_micro_usd', 'desc')
    .orderBy('model')
    .limit(mostModels)
    .execute();
  return {
    models: rows.map((row) => ({
      model: row.model,
      input_tokens: row.input_tokens,
      output_tokens: row.output_tokens,
      total_tokens: row.total_tokens,
      request_count: row.request_count,
      total_cost: renderUsd(row.cost_micro_usd),
    })),
    models_total: rows[0]?.models_total ?? 0,
  };
}
