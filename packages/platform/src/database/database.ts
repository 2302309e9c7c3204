import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * PostgreSQL behind Kysely, whether it runs in this process' embedded worker or as a server.
 * Column types are the same on both: bigint arrives as number, timestamptz as Date, jsonb parsed.
 */
export interface Database extends AsyncDisposable {
  readonly kysely: Kysely<Tables>;
  /**
   * Calls `listener` with each payload that NOTIFY sends on `channel`. Reconnects by itself; what was
   * sent in between is lost, so every user also polls. Resolves once listening.
   */
  listen(channel: string, listener: (payload: string) => void): Promise<() => Promise<void>>;
  /** Resolves when a query passes, rejects with the reason otherwise. */
  check(): Promise<void>;
  poolStats(): PoolStats;
}

/** A database, or a transaction on one: `{ kysely: transaction }`. */
export type Queryable = Pick<Database, 'kysely'>;

export interface PoolStats {
  readonly maxOpenConnections: number;
  readonly openConnections: number;
  readonly inUse: number;
  readonly idle: number;
  /** Callers that wait for a connection now. */
  readonly waiting: number;
  /** Callers that had to wait since the process started, and for how long in all. */
  readonly waitCount: number;
  readonly waitMs: number;
  /** Connections that were closed because they were not needed, since the process started. */
  readonly idleClosed: number;
}
