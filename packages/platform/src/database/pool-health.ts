export type PoolHealthStatus = 'healthy' | 'degraded' | 'critical';

/** Waits within a minute from which on they are no occasion any more: one a second. */
const excessiveWaits = 60;

/**
 * Judges a connection pool: `healthy` below 80 % and without waits, `critical` above 90 % or with
 * excessive waits, `degraded` between.
 * @param utilizationPercent connections in use, of those allowed, 0-100
 * @param recentWaits queries that had to wait for a connection within the last minute
 */
export function judgePool(utilizationPercent: number, recentWaits: number): PoolHealthStatus {
  if (utilizationPercent > 90 || recentWaits >= excessiveWaits) return 'critical';
  return utilizationPercent >= 80 || recentWaits > 0 ? 'degraded' : 'healthy';
}
