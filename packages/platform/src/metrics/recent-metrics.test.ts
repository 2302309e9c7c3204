import { describe, expect, test } from '@jest/globals';
import { waitFor } from '@portcullis/testkit/wait-for';
import { readMetrics } from './metrics-report.ts';
import { bucketsSince, countAbove, quantileOf, renderSeconds } from './metrics-window.ts';
import { createMetrics } from './metrics.ts';
import { watchRecentMetrics } from './recent-metrics.ts';

describe('quantiles of buckets', () => {
  const buckets = [
    [0.01, 10],
    [0.1, 90],
    [1, 100],
    [Infinity, 100],
  ] as const;
  test('lie within the bucket of their rank', () => {
    expect(quantileOf(buckets, 0.5)).toBeCloseTo(0.055);
    expect(quantileOf(buckets, 0.95)).toBeCloseTo(0.55);
    expect(quantileOf(buckets, 0.05)).toBeCloseTo(0.005);
  });
  test('are 0 without observations and bounded beyond the last bound', () => {
    expect(quantileOf([], 0.5)).toBe(0);
    expect(
      quantileOf(
        [
          [1, 0],
          [Infinity, 4],
        ],
        0.5,
      ),
    ).toBe(1);
  });
  test('see only what came since, and never count backwards', () => {
    expect(
      bucketsSince(buckets, [
        [0.01, 4],
        [0.1, 200],
      ]),
    ).toEqual([
      [0.01, 6],
      [0.1, 0],
      [1, 100],
      [Infinity, 100],
    ]);
    expect(countAbove(buckets, 0.1)).toBe(10);
  });
});

test.each([
  [0, '0s'],
  [0.00085, '850µs'],
  [0.0125, '12.5ms'],
  [1.25, '1.25s'],
  [125, '2m5s'],
])('%p seconds read %p', (seconds, text) => expect(renderSeconds(seconds)).toBe(text));

const waits = { waiting: 0, waitCount: 4, waitMs: 50, idleClosed: 6 };
const pool = { maxOpenConnections: 10, openConnections: 5, inUse: 2, idle: 3, ...waits };

test('the snapshot has totals since the start and percentiles of the last minutes', async () => {
  const { registry, gateway } = createMetrics();
  let now = 0;
  await using recent = watchRecentMetrics({ readFamilies: () => readMetrics(registry), nowMs: () => now });
  for (let n = 0; n < 10; n += 1) gateway.observeRequest({ endpoint: '/slow', status: 500, durationMs: 20_000 });
  await recent.snapshot();
  now = 400_000;
  await recent.snapshot();
  for (let n = 0; n < 100; n += 1) gateway.observeRequest({ endpoint: '/fast', status: 200, durationMs: 0.5 });
  now = 401_000;
  expect((await recent.snapshot()).request_metrics).toEqual({
    total_requests: 110,
    total_errors: 10,
    slow_requests: 10,
    duration_p50: '500µs',
    duration_p95: '950µs',
    duration_p99: '990µs',
  });
});

test('the snapshot has all groups, by endpoint, proxy and policy', async () => {
  const { registry, gateway } = createMetrics();
  await using recent = watchRecentMetrics({ readFamilies: () => readMetrics(registry) });
  const proxy = { id: 7, name: 'front', type: 'llm' };
  gateway.countProxyRequest(proxy, { status: 200, durationMs: 10, atMs: Date.parse('2026-01-01T00:00:00Z') });
  gateway.countProxyRequest(proxy, { status: 403, durationMs: 30, atMs: Date.parse('2026-01-01T00:00:05Z') });
  gateway.observeRequest({ endpoint: 'proxy 7', status: 403, durationMs: 30 });
  gateway.countPolicyEvaluations(2, 1);
  gateway.countInspection({ names: ['a', 'b'], matched: new Set(['b']), durationMs: 0.05 });
  gateway.observeQuery(2);
  gateway.observeQuery(200);
  gateway.countCache('policy_plans', true);
  gateway.countCache('policy_plans', false);
  gateway.watchPool(() => pool);
  const { system_metrics: system, ...rest } = await recent.snapshot();
  expect(system.goroutine_count).toBeGreaterThan(0);
  expect(system.memory_usage_mb).toBeGreaterThan(10);
  expect(rest).toMatchObject({
    database_metrics: { total_queries: 2, slow_queries: 1, duration_p50: '2.5ms' },
    error_metrics: { 'proxy 7': { 403: 1 } },
    proxy_metrics: {
      7: {
        proxy_id: 7,
        proxy_name: 'front',
        proxy_type: 'llm',
        requests_total: 2,
        requests_success: 1,
        requests_error: 1,
        request_duration: '20ms',
        last_request_time: '2026-01-01T00:00:05.000Z',
      },
    },
    policy_metrics: {
      total_evaluations: 2,
      matches: 1,
      misses: 1,
      hit_rate_percent: 50,
      average_duration: '50µs',
      policy_details: {
        a: { policy_name: 'a', evaluations: 1, matches: 0, average_duration: '50µs' },
        b: { policy_name: 'b', evaluations: 1, matches: 1, average_duration: '50µs' },
      },
    },
    connection_pool_metrics: { open_connections: 5, in_use: 2, idle: 3, wait_count: 4, utilization_percent: 20 },
    cache_metrics: { hits: 1, misses: 1, hit_rate: 0.5 },
  });
  expect(await recent.poolStats()).toEqual({
    max_open_connections: 10,
    ...rest.connection_pool_metrics,
    wait_duration_ns: 50_000_000,
    max_idle_closed: 6,
    max_lifetime_closed: 0,
  });
});

test('between two looks only the figures are read that are compared', async () => {
  const asked: (readonly string[] | undefined)[] = [];
  const { registry, gateway } = createMetrics();
  gateway.watchPool(() => pool);
  await using recent = watchRecentMetrics({
    readFamilies: (names) => {
      asked.push(names);
      return readMetrics(registry, names);
    },
  });
  await waitFor(() => asked.length === 1, { what: 'the first reading' });
  const [names = []] = asked;
  expect((await readMetrics(registry, names)).map(({ name }) => name)).toEqual(names);
  gateway.observeQuery(2);
  expect((await recent.snapshot()).database_metrics).toMatchObject({ total_queries: 1, duration_p50: '1.75ms' });
  expect(asked.at(-1)).toBeUndefined();
});
