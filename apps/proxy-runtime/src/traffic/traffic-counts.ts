export interface ProxyCounts {
  /** Exchanges settled since this process started. */
  readonly requests: number;
  /** Those that ended with a status of 500 or above. */
  readonly errors: number;
}

/** Counts exchanges per proxy in memory; they are written out now and then, never per request. */
export interface TrafficCounts {
  count(proxyId: number, isError: boolean): void;
  of(proxyId: number): ProxyCounts;
  all(): Iterable<[number, ProxyCounts]>;
}

const none: ProxyCounts = Object.freeze({ requests: 0, errors: 0 });

export function createTrafficCounts(): TrafficCounts {
  const counts = new Map<number, { requests: number; errors: number }>();
  return {
    count(proxyId, isError) {
      const entry = counts.get(proxyId) ?? { requests: 0, errors: 0 };
      entry.requests += 1;
      if (isError) entry.errors += 1;
      counts.set(proxyId, entry);
    },
    of: (proxyId) => counts.get(proxyId) ?? none,
    all: () => counts.entries(),
  };
}
