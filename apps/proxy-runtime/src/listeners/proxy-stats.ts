import type { PoolState } from '../target/target-pool.ts';
import type { ProxyCounts, TrafficCounts } from '../traffic/traffic-counts.ts';

/** What changes about a proxy with its traffic. */
export interface ProxyStats extends ProxyCounts {
  readonly target: PoolState;
}

/** The stats of the proxies, as they are at the moment. */
export interface StatsSource {
  of(proxyId: number): ProxyStats;
  /** Of the proxies that have had traffic. */
  all(): Iterable<readonly [proxyId: number, ProxyStats]>;
}

const unused: PoolState = Object.freeze({ state: 'closed', problem: null });

/** @param poolStateOf the way to the target of a proxy; undefined while it was not used yet */
export function createProxyStats(
  counts: TrafficCounts,
  poolStateOf: (proxyId: number) => PoolState | undefined,
): StatsSource {
  const of = (proxyId: number): ProxyStats => ({ ...counts.of(proxyId), target: poolStateOf(proxyId) ?? unused });
  return {
    of,
    all: () => Iterator.from(counts.all()).map(([proxyId]) => [proxyId, of(proxyId)] as const),
  };
}
