import { expect, test } from '@jest/globals';
import { judgePool } from './pool-health.ts';

test.each([
  [0, 0, 'healthy'],
  [79.9, 0, 'healthy'],
  [80, 0, 'degraded'],
  [90, 0, 'degraded'],
  [90.1, 0, 'critical'],
  [0, 1, 'degraded'],
  [10, 59, 'degraded'],
  [10, 60, 'critical'],
])('a pool in use to %p %% with %p waits in a minute is %p', (utilization, waits, status) => {
  expect(judgePool(utilization, waits)).toBe(status);
});
