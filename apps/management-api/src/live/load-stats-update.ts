import { severities } from '@portcullis/contracts/records';
import type { StatsUpdate } from '@portcullis/contracts/live-events';
import type { Queryable } from '@portcullis/platform/database/database';
import { sql } from 'kysely';
import { listStatuses } from '../proxies/status-queries.ts';

const openStatuses = ['new', 'acknowledged', 'in_progress'] as const;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** The figures that dashboards show, from sums and indexes, however much was recorded. */
export async function loadStatsUpdate(database: Queryable, now: Date): Promise<StatsUpdate> {
  const alerts = await countAlerts(database);
  const recent = await database.kysely
    .selectFrom('alerts')
    .select(sql<number>`count(*)`.as('count'))
    .where('created_at', '>', new Date(now.getTime() - 6 * 60 * minuteMs))
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  const statuses = await listStatuses(database, undefined);
  const today = await database.kysely
    .selectFrom('daily_requests')
    .select(sql<number>`coalesce(sum(requests), 0)::bigint`.as('total'))
    .where('day', '=', now.toISOString().slice(0, 10))
    .executeTakeFirstOrThrow();
  const minute = await countLastMinute(database, now);
  return {
    timestamp: now.toISOString(),
    requests: { today: today.total, last_minute: minute.total, errors_last_minute: minute.errors },
    alerts: { ...alerts, last_6h: recent.count },
    proxies: { total: statuses.length, running: statuses.filter(({ running }) => running).length },
  };
}

/** Requests are found by their proxy, so the sums are asked first which proxies had any. */
async function countLastMinute({ kysely }: Queryable, now: Date) {
  const since = new Date(now.getTime() - minuteMs);
  const hour = new Date(Math.floor(since.getTime() / hourMs) * hourMs);
  const { rows } = await sql<{ total: number; errors: number }>`
    select coalesce(sum(total), 0)::bigint as total, coalesce(sum(errors), 0)::bigint as errors
    from (select distinct proxy_id from hourly_requests where hour >= ${hour}) as busy, lateral (
      select sum(requests) as total, sum(requests) filter (where status_code >= 400) as errors
      from request_logs where proxy_id = busy.proxy_id and timestamp > ${since}
    ) as counts`.execute(kysely);
  const [counts = { total: 0, errors: 0 }] = rows;
  return counts;
}

async function countAlerts({ kysely }: Queryable) {
  const rows = await kysely
    .selectFrom('alert_kind_counts')
    .select(['severity', 'status', sql<number>`sum(count)::bigint`.as('count')])
    .groupBy(['severity', 'status'])
    .execute();
  const sum = (wanted: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(wanted).reduce((total, { count }) => total + count, 0);
  const [Critical = 0, High = 0, Medium = 0, Low = 0] = severities.map((severity) =>
    sum((row) => row.severity === severity),
  );
  return {
    total: sum(() => true),
    open: sum(({ status }) => openStatuses.some((open) => open === status)),
    by_severity: { Critical, High, Medium, Low },
  };
}
