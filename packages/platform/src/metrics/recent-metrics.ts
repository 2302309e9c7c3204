import { checkPoolHealth, type PoolHealthStatus } from '../database/connection/pool-health.ts';
import { runEvery } from '../event-loop/run-every.ts';
import type { MetricFamily } from './metrics-report.ts';
import {
  baselineFamilies,
  renderPoolStats,
  renderSnapshot,
  takeBaseline,
  type Baseline,
  type MetricsSnapshot,
} from './metrics-snapshot.ts';

/** Over how long percentiles and the CPU are taken, at most. */
const windowMs = 300_000;
/** Over how long the waits of the pool are counted. */
const poolWindowMs = 60_000;
const sampleEveryMs = 5_000;

/** The metrics of all processes as figures for people, with what was lately. */
export interface RecentMetrics extends AsyncDisposable {
  snapshot(): Promise<MetricsSnapshot>;
  poolStats(): Promise<ReturnType<typeof renderPoolStats>>;
  poolHealth(): Promise<{ readonly status: PoolHealthStatus } & MetricsSnapshot['connection_pool_metrics']>;
}

interface RecentMetricsOptions {
  /** Reads some families, or all. */
  readonly readFamilies: (names?: readonly string[]) => Promise<readonly MetricFamily[]>;
  readonly nowMs?: () => number;
}

/** Remembers the figures of the last five minutes, a reading every five seconds. */
export function watchRecentMetrics({
  readFamilies,
  nowMs = () => performance.now(),
}: RecentMetricsOptions): RecentMetrics {
  let history: Baseline[] = [];

  const keep = (families: readonly MetricFamily[], now: number): Baseline => {
    const baseline = takeBaseline(families, now);
    history = [...history.filter(({ atMs }) => now - atMs <= windowMs), baseline];
    return baseline;
  };
  const read = async () => {
    const families = await readFamilies();
    const now = nowMs();
    const baseline = keep(families, now);
    const since = (ms: number) => history.find(({ atMs }) => now - atMs <= ms) ?? baseline;
    return { families, now, baseline, since };
  };
  // Most families are figures of the moment, and some are dear to read.
  const sample = async () => void keep(await readFamilies(baselineFamilies), nowMs());
  const samples = runEvery(sample, { intervalMs: sampleEveryMs, onFault: () => {} });

  return {
    async snapshot() {
      const { families, now, since } = await read();
      return renderSnapshot(families, since(windowMs), now);
    },
    async poolStats() {
      return renderPoolStats((await read()).families);
    },
    async poolHealth() {
      const { families, now, baseline, since } = await read();
      const { connection_pool_metrics: pool } = renderSnapshot(families, since(windowMs), now);
      const waits = Math.max(0, baseline.poolWaits - since(poolWindowMs).poolWaits);
      const { max_open_connections: max } = renderPoolStats(families);
      return { status: checkPoolHealth(pool.utilization_percent, max, waits), ...pool };
    },
    [Symbol.asyncDispose]: () => samples[Symbol.asyncDispose](),
  };
}
