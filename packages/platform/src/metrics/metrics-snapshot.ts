import { roundPercent, roundShare } from '@portcullis/core/numbers/round-to';
import type { MetricFamily } from './metrics-report.ts';
import {
  bucketsOf,
  bucketsSince,
  countAbove,
  quantileOf,
  renderSeconds,
  samplesOf,
  sumOf,
  type Buckets,
} from './metrics-window.ts';

/** Requests and queries that took longer count as slow; both are bounds of their histograms. */
const slowRequestS = 1;
const slowQueryS = 0.1;

/** Figures of an earlier moment, against which the recent ones are measured. */
export interface Baseline {
  readonly atMs: number;
  readonly requests: Buckets;
  readonly queries: Buckets;
  readonly cpuSeconds: number;
  readonly poolWaits: number;
}

const measured = {
  requests: 'gateway_request_duration_seconds',
  queries: 'gateway_db_query_duration_seconds',
  userSeconds: 'process_cpu_user_seconds_total',
  systemSeconds: 'process_cpu_system_seconds_total',
  poolWaits: 'gateway_db_pool_waits_total',
};

/** What a baseline is made of. prom-client counts the CPU when it reads that of users, so this comes before the system's. */
export const baselineFamilies = Object.values(measured);

export const takeBaseline = (families: readonly MetricFamily[], atMs: number): Baseline => ({
  atMs,
  requests: bucketsOf(families, measured.requests),
  queries: bucketsOf(families, measured.queries),
  cpuSeconds: sumOf(families, measured.userSeconds) + sumOf(families, measured.systemSeconds),
  poolWaits: sumOf(families, measured.poolWaits),
});

export type MetricsSnapshot = ReturnType<typeof renderSnapshot>;

/** All groups of figures, totals since the start of the processes, percentiles since the baseline. */
export const renderSnapshot = (families: readonly MetricFamily[], then: Baseline, nowMs: number) => {
  const now = takeBaseline(families, nowMs);
  return {
    request_metrics: {
      total_requests: sumOf(families, 'gateway_requests_total'),
      total_errors: sumOf(families, 'gateway_errors_total'),
      slow_requests: countAbove(now.requests, slowRequestS),
      ...renderPercentiles(bucketsSince(now.requests, then.requests)),
    },
    database_metrics: {
      total_queries: sumOf(families, 'gateway_db_queries_total'),
      slow_queries: countAbove(now.queries, slowQueryS),
      ...renderPercentiles(bucketsSince(now.queries, then.queries)),
    },
    error_metrics: renderErrors(families),
    proxy_metrics: renderProxies(families),
    policy_metrics: renderPolicies(families),
    system_metrics: renderSystem(families, then, now),
    connection_pool_metrics: renderPool(families),
    cache_metrics: renderCaches(families),
  };
};

const renderPercentiles = (recent: Buckets) => ({
  duration_p50: renderSeconds(quantileOf(recent, 0.5)),
  duration_p95: renderSeconds(quantileOf(recent, 0.95)),
  duration_p99: renderSeconds(quantileOf(recent, 0.99)),
});

function renderErrors(families: readonly MetricFamily[]): Record<string, Record<string, number>> {
  const errors: Record<string, Record<string, number>> = {};
  for (const { labels, value } of samplesOf(families, 'gateway_errors_total')) {
    const [endpoint, status] = [String(labels['endpoint']), String(labels['status'])];
    errors[endpoint] = { ...errors[endpoint], [status]: (errors[endpoint]?.[status] ?? 0) + value };
  }
  return errors;
}

function renderProxies(families: readonly MetricFamily[]) {
  const figure = (name: string, id: string) =>
    samplesOf(families, name).find(({ labels }) => String(labels['proxy_id']) === id)?.value ?? 0;
  const totals = new Map<string, { name: string; type: string; total: number }>();
  // After a renaming a proxy has several rows; the last name stands.
  for (const { labels, value } of samplesOf(families, 'gateway_proxy_requests_total')) {
    const id = String(labels['proxy_id']);
    const total = (totals.get(id)?.total ?? 0) + value;
    totals.set(id, { name: String(labels['proxy_name']), type: String(labels['proxy_type']), total });
  }
  return Object.fromEntries(
    [...totals].map(([id, { name, type, total }]) => {
      const errors = figure('gateway_proxy_errors_total', id);
      const lastS = figure('gateway_proxy_last_request_timestamp_seconds', id);
      const proxy = {
        proxy_id: Number(id),
        proxy_name: name,
        proxy_type: type,
        requests_total: total,
        requests_success: total - errors,
        requests_error: errors,
        request_duration: renderSeconds(total === 0 ? 0 : figure('gateway_proxy_request_seconds_total', id) / total),
        last_request_time: lastS === 0 ? null : new Date(lastS * 1_000).toISOString(),
      };
      return [id, proxy];
    }),
  );
}

function renderPolicies(families: readonly MetricFamily[]) {
  const byName = (name: string) =>
    new Map(samplesOf(families, name).map(({ labels, value }) => [String(labels['policy_name']), value]));
  const [matches, seconds] = [
    byName('gateway_policy_inspection_matches_total'),
    byName('gateway_policy_inspection_seconds_total'),
  ];
  const average = (total: number, count: number) => renderSeconds(count === 0 ? 0 : total / count);
  const inspected = [...byName('gateway_policy_inspections_total')];
  const details = inspected.map(([name, count]) => {
    const duration = average(seconds.get(name) ?? 0, count);
    return [
      name,
      { policy_name: name, evaluations: count, matches: matches.get(name) ?? 0, average_duration: duration },
    ] as const;
  });
  const evaluations = sumOf(families, 'gateway_policy_evaluations_total');
  const matched = sumOf(families, 'gateway_policy_evaluations_matches_total');
  const spent = [...seconds.values()].reduce((sum, value) => sum + value, 0);
  return {
    total_evaluations: evaluations,
    matches: matched,
    misses: sumOf(families, 'gateway_policy_evaluations_misses_total'),
    average_duration: average(
      spent,
      inspected.reduce((sum, [, count]) => sum + count, 0),
    ),
    hit_rate_percent: percent(matched, evaluations),
    policy_details: Object.fromEntries(details),
  };
}

function renderSystem(families: readonly MetricFamily[], then: Baseline, now: Baseline) {
  const elapsedS = (now.atMs - then.atMs) / 1_000;
  const busyS = Math.max(0, now.cpuSeconds - then.cpuSeconds);
  return {
    cpu_usage_percent: elapsedS <= 0 ? 0 : Math.round((1_000 * busyS) / elapsedS) / 10,
    memory_usage_mb: Math.round((10 * sumOf(families, 'process_resident_memory_bytes')) / 1_048_576) / 10,
    goroutine_count: sumOf(families, 'nodejs_active_resources_total'),
  };
}

const renderPool = (families: readonly MetricFamily[]) => ({
  open_connections: sumOf(families, 'gateway_db_pool_open_connections'),
  in_use: sumOf(families, 'gateway_db_pool_in_use_connections'),
  idle: sumOf(families, 'gateway_db_pool_idle_connections'),
  wait_count: sumOf(families, 'gateway_db_pool_waits_total'),
  utilization_percent: roundPercent(sumOf(families, 'gateway_db_pool_utilization_percent')),
});

function renderCaches(families: readonly MetricFamily[]) {
  const [hits, misses] = [sumOf(families, 'gateway_cache_hits_total'), sumOf(families, 'gateway_cache_misses_total')];
  return { hits, misses, hit_rate: hits + misses === 0 ? 0 : roundShare(hits / (hits + misses)) };
}

const percent = (part: number, whole: number): number => (whole === 0 ? 0 : roundPercent((100 * part) / whole));

/** What the pool's statistics say beyond the snapshot. */
export const renderPoolStats = (families: readonly MetricFamily[]) => ({
  max_open_connections: sumOf(families, 'gateway_db_pool_max_connections'),
  ...renderPool(families),
  wait_duration_ns: Math.round(sumOf(families, 'gateway_db_pool_wait_seconds_total') * 1_000_000_000),
  max_idle_closed: sumOf(families, 'gateway_db_pool_idle_closed_total'),
  // Connections have no longest life here.
  max_lifetime_closed: 0,
});
