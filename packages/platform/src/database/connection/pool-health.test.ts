import { expect, test } from '@jest/globals';
import { checkPoolHealth } from './pool-health.ts';

test.each([
  [0, 10, 0, 'healthy'],
  [79.9, 10, 0, 'healthy'],
  [80, 10, 0, 'degraded'],
  [90, 10, 0, 'degraded'],
  [90.1, 10, 0, 'critical'],
  [0, 10, 1, 'degraded'],
  [10, 10, 59, 'degraded'],
  [10, 10, 60, 'critical'],
  [100, 1, 0, 'healthy'],
  [100, 1, 1, 'degraded'],
  [0, 1, 60, 'critical'],
])('a pool in use to %p %% of %p with %p waits in a minute is %p', (utilization, max, waits, status) => {
  expect(checkPoolHealth(utilization, max, waits)).toBe(status);
});
