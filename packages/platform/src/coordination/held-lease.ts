import type { Coordination, Lease } from './coordination.ts';

/** A lease for work that comes back again and again, and that one process of all is to do. */
export interface HeldLease {
  /** Renews it, or takes it where no other process has it. Rejects while the store is away. */
  holds(): Promise<boolean>;
  /** Lets another process have it at once. Never rejects. */
  release(): Promise<void>;
}

/** @param ttlMs longer than the pauses between two questions, and than the work */
export function holdLease({ leases }: Pick<Coordination, 'leases'>, name: string, ttlMs: number): HeldLease {
  let lease: Lease | undefined;
  return {
    async holds() {
      if (lease !== undefined && !(await lease.renew())) lease = undefined;
      lease ??= await leases.acquire(name, ttlMs);
      return lease !== undefined;
    },
    async release() {
      await lease?.release().catch(() => undefined);
      lease = undefined;
    },
  };
}
