export type PoolHealthStatus = 'healthy' | 'degraded' | 'critical';

/** Waits within a minute from which on they are no occasion any more: one a second. */
const excessiveWaits = 60;

/**
 * Judges a connection pool: `healthy` below 80 % and without waits, `critical` above 90 % or with
 * excessive waits, `degraded` between. A pool of one connection, as the embedded database has, is all
 * in use or not at all at any time, so there only the waits tell anything.
 * @param utilizationPercent connections in use, of those allowed, 0-100
 * @param maxConnections connections allowed
 * @param recentWaits queries that had to wait for a connection within the last minute
 */
export function checkPoolHealth(
  utilizationPercent: number,
  maxConnections: number,
  recentWaits: number,
): PoolHealthStatus {
  const used = maxConnections === 1 ? 0 : utilizationPercent;
  if (used > 90 || recentWaits >= excessiveWaits) return 'critical';
  return used >= 80 || recentWaits > 0 ? 'degraded' : 'healthy';
}
