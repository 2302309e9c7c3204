import { performance } from 'node:perf_hooks';
import type { Leases } from '../coordination.ts';

export function createInProcessLeases(): Leases {
  const held = new Map<string, { untilMs: number }>();

  return {
    async acquire(name, ttlMs) {
      const holder = held.get(name);
      if (holder !== undefined && holder.untilMs > performance.now()) return undefined;
      const lease = { untilMs: performance.now() + ttlMs };
      held.set(name, lease);
      const isMine = () => held.get(name) === lease && lease.untilMs > performance.now();

      return {
        async renew() {
          if (!isMine()) return false;
          lease.untilMs = performance.now() + ttlMs;
          return true;
        },
        async release() {
          if (isMine()) held.delete(name);
        },
      };
    },
  };
}
