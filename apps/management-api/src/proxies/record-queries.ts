import type { RequestLog, ProxyStats, TokenUsage } from '@portcullis/contracts/routes/proxy-records';
import type { Database } from '@portcullis/platform/database/database';
import type { Tables } from '@portcullis/platform/database/tables';
import { sql, type ExpressionBuilder, type Kysely } from 'kysely';

const topEndpoints = 10;
const recentUsage = 100;
const microUsdPerUsd = 1_000_000;

interface LogFilter {
  /** Comma-separated status codes and classes, for example `429,5xx`. */
  readonly status?: string;
  readonly from?: string;
  readonly to?: string;
  readonly search?: string;
}

function filterLogs(kysely: Kysely<Tables>, proxyId: number, { status, from, to, search }: LogFilter) {
  let logs = kysely.selectFrom('request_logs').where('proxy_id', '=', proxyId);
  if (from !== undefined) logs = logs.where('timestamp', '>=', new Date(from));
  if (to !== undefined) logs = logs.where('timestamp', '<', new Date(to));
  if (search !== undefined) {
    logs = logs.where(
      sql<boolean>`(strpos(lower(path), lower(${search})) > 0 or request_id = ${search} or client_ip = ${search})`,
    );
  }
  if (status !== undefined) {
    logs = logs.where((where) => where.or(status.split(',').map((each) => where.and(statusRange(where, each)))));
  }
  return logs;
}

/** `5xx` is 500-599, `404` itself. */
const statusRange = (where: ExpressionBuilder<Tables, 'request_logs'>, status: string) => {
  const [low, high] = [Number(status.replaceAll('x', '0')), Number(status.replaceAll('x', '9'))];
  return [where('status_code', '>=', low), where('status_code', '<=', high)];
};

export async function listRequestLogs(
  { kysely }: Database,
  proxyId: number,
  { limit, offset, ...filter }: LogFilter & { readonly limit: number; readonly offset: number },
): Promise<RequestLog[]> {
  const rows = await filterLogs(kysely, proxyId, filter)
    .select([
      'id',
      'proxy_id as proxy_config_id',
      'timestamp',
      'request_id',
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
  return rows.map((row) => ({ ...row, timestamp: row.timestamp.toISOString() }));
}

export async function loadProxyStats({ kysely }: Database, proxyId: number, hours: number): Promise<ProxyStats> {
  const since = sql<Date>`now() - make_interval(hours => ${hours})`;
  const logs = kysely.selectFrom('request_logs').where('proxy_id', '=', proxyId).where('timestamp', '>', since);
  const sums = await logs
    .select([
      sql<number>`count(*)`.as('total_requests'),
      sql<number>`count(*) filter (where status_code < 400)`.as('successful_requests'),
      sql<number>`count(*) filter (where status_code >= 400)`.as('failed_requests'),
      sql<number>`coalesce(avg(duration_ms), 0)`.as('avg_response_time_ms'),
      sql<number>`coalesce(sum(request_size + response_size), 0)::bigint`.as('total_data_transferred'),
    ])
    .executeTakeFirstOrThrow();
  const endpoints = await logs
    .select(['path', sql<number>`count(*)`.as('count')])
    .groupBy('path')
    .orderBy('count', 'desc')
    .orderBy('path')
    .limit(topEndpoints)
    .execute();
  const alerts = await kysely
    .selectFrom('alerts')
    .select(sql<number>`count(*)`.as('count'))
    .where('proxy_id', '=', proxyId)
    .where('created_at', '>', since)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return {
    proxy_id: proxyId,
    time_range_hours: hours,
    ...sums,
    alerts_triggered: alerts.count,
    top_endpoints: endpoints,
  };
}

export async function loadTokenUsage(
  { kysely }: Database,
  proxy: { readonly id: number; readonly name: string },
  days: number,
): Promise<TokenUsage> {
  const records = kysely
    .selectFrom('usage_records')
    .where('proxy_id', '=', proxy.id)
    .where('timestamp', '>', sql<Date>`now() - make_interval(days => ${days})`);
  const totals = await records
    .select([
      sql<number>`coalesce(sum(total_tokens), 0)::bigint`.as('total_tokens'),
      sql<number>`coalesce(sum(cost_micro_usd), 0)::bigint`.as('cost_micro_usd'),
      sql<number>`count(*)`.as('request_count'),
    ])
    .executeTakeFirstOrThrow();
  const recent = await records
    .select(['id', 'timestamp', 'model', 'input_tokens', 'output_tokens', 'total_tokens', 'cost_micro_usd'])
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
      total_cost: totals.cost_micro_usd / microUsdPerUsd,
      request_count: totals.request_count,
    },
    recent_usage: recent.map(({ cost_micro_usd: costMicroUsd, timestamp, ...same }) => ({
      ...same,
      timestamp: timestamp.toISOString(),
      cost: costMicroUsd / microUsdPerUsd,
    })),
    records_count: recent.length,
  };
}
