import type { LinkState } from '../target/target-pool.ts';
import type { ProxyCounts, TrafficCounts } from '../traffic/traffic-counts.ts';

/** What changes about a proxy with its traffic. */
export interface ProxyFigures extends ProxyCounts {
  readonly target: LinkState;
}

/** The figures of the proxies, as they are at the moment. */
export interface FigureSource {
  of(proxyId: number): ProxyFigures;
  /** Of the proxies that have had traffic. */
  all(): Iterable<readonly [proxyId: number, ProxyFigures]>;
}

const unused: LinkState = Object.freeze({ state: 'closed', problem: null });

/** @param linkOf the way to the target of a proxy; undefined while it was not used yet */
export function createProxyFigures(
  counts: TrafficCounts,
  linkOf: (proxyId: number) => LinkState | undefined,
): FigureSource {
  const of = (proxyId: number): ProxyFigures => ({ ...counts.of(proxyId), target: linkOf(proxyId) ?? unused });
  return {
    of,
    all: () => Iterator.from(counts.all()).map(([proxyId]) => [proxyId, of(proxyId)] as const),
  };
}
