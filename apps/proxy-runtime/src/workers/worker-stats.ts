import type { StatsSource, ProxyStats } from '../listeners/proxy-stats.ts';

const badness = { closed: 0, half_open: 1, open: 2 } as const;

const unused: ProxyStats = { requests: 0, errors: 0, target: { state: 'closed', problem: null } };

const add = (one: ProxyStats, other: ProxyStats): ProxyStats => ({
  requests: one.requests + other.requests,
  errors: one.errors + other.errors,
  target: badness[other.target.state] > badness[one.target.state] ? other.target : one.target,
});

/** The stats of all workers as one: what they counted adds up, and the target is as the worst of them finds it. */
export class WorkerStats implements StatsSource {
  readonly #byWorker = new Map<number, ReadonlyMap<number, ProxyStats>>();
  /** What workers counted that have ended. */
  readonly #past = new Map<number, ProxyStats>();

  set(worker: number, stats: readonly (readonly [number, ProxyStats])[]): void {
    this.#byWorker.set(worker, new Map(stats));
  }

  /** The worker has ended: what it counted stays, what it found of targets does not. */
  settle(worker: number): void {
    for (const [proxyId, { requests, errors }] of this.#byWorker.get(worker) ?? []) {
      this.#past.set(proxyId, add(this.#past.get(proxyId) ?? unused, { ...unused, requests, errors }));
    }
    this.#byWorker.delete(worker);
  }

  of(proxyId: number): ProxyStats {
    const current = [...this.#byWorker.values()].map((stats) => stats.get(proxyId) ?? unused);
    return current.reduce(add, this.#past.get(proxyId) ?? unused);
  }

  all(): Iterable<readonly [number, ProxyStats]> {
    const proxyIds = new Set([
      ...this.#past.keys(),
      ...[...this.#byWorker.values()].flatMap((each) => [...each.keys()]),
    ]);
    return [...proxyIds].map((proxyId) => [proxyId, this.of(proxyId)] as const);
  }
}
