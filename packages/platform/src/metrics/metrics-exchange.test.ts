import { afterEach, expect, test } from '@jest/globals';
import { waitFor } from '@portcullis/testkit/wait-for';
import { createLogger } from 'winston';
import { createInProcessBus } from '../coordination/in-process/bus.ts';
import { createMetricsCollector, publishMetrics, type MetricsCollector } from './metrics-exchange.ts';
import { createMetrics, type Metrics } from './metrics.ts';

const bus = createInProcessBus(createLogger({ silent: true }));
const opened: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each[Symbol.asyncDispose]();
});

async function collect(metrics: Metrics, nowMs?: () => number): Promise<MetricsCollector> {
  const options = { registry: metrics.registry, bus, instanceId: 'management' };
  const collector = createMetricsCollector(nowMs === undefined ? options : { ...options, nowMs });
  opened.push(collector);
  await collector.start();
  return collector;
}

/** A process tells its metrics once. */
function publish(metrics: Metrics, instanceId: string): void {
  publishMetrics({ registry: metrics.registry, bus, instanceId })[Symbol.dispose]();
}

const find = (text: string, name: string): number =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length),
  );

const readsTo = (collector: MetricsCollector, name: string, value: number) =>
  waitFor(async () => find(await collector.render(), name) === value, { what: `${name} to be ${value}` });

/** A process with some traffic and a pool. */
function createProcess({ requests, inUse }: { requests: number; inUse: number }): Metrics {
  const metrics = createMetrics();
  for (let n = 0; n < requests; n += 1) metrics.gateway.observeRequest({ endpoint: '/x', status: 500, durationMs: 3 });
  metrics.gateway.watchPool(() => ({
    maxOpenConnections: 10,
    openConnections: 10,
    inUse,
    idle: 0,
    waiting: 0,
    waitCount: 2,
    waitMs: 30,
    idleClosed: 1,
  }));
  metrics.gateway.watchSpool(() => ({ pendingRecords: requests, shedRecords: 0, rejectedRecords: 0 }));
  return metrics;
}

test('a process alone renders its own registry', async () => {
  const own = createProcess({ requests: 2, inUse: 1 });
  const collector = await collect(own);
  publish(own, 'management');
  await bus.publish('metrics', { nonsense: true });
  expect(find(await collector.render(), 'gateway_requests_total')).toBe(2);
  expect(collector.contentType).toContain('text/plain');
});

test('counters and histograms of all processes add up, the fullest pool counts, averages stay averages', async () => {
  const collector = await collect(createProcess({ requests: 2, inUse: 1 }));
  publish(createProcess({ requests: 3, inUse: 9 }), 'runtime-1');
  publish(createProcess({ requests: 5, inUse: 4 }), 'runtime-2');
  await readsTo(collector, 'gateway_requests_total', 10);
  const text = await collector.render();
  expect(find(text, 'gateway_errors_total{endpoint="/x",status="500"}')).toBe(10);
  expect(find(text, 'gateway_request_duration_seconds_bucket{le="0.005"}')).toBe(10);
  expect(find(text, 'gateway_request_duration_seconds_count')).toBe(10);
  expect(find(text, 'gateway_db_pool_utilization_percent')).toBe(90);
  expect(find(text, 'gateway_spool_pending_records')).toBe(10);
  expect(find(text, 'nodejs_eventloop_lag_p50_seconds')).toBeLessThan(10);
  expect(text.match(/^# TYPE gateway_requests_total/gm)).toHaveLength(1);
});

test('a process reports again and again, and its latest report counts', async () => {
  const collector = await collect(createMetrics());
  const runtime = createProcess({ requests: 3, inUse: 0 });
  using _ = publishMetrics({ registry: runtime.registry, bus, instanceId: 'runtime', everyMs: 5 });
  await readsTo(collector, 'gateway_requests_total', 3);
  runtime.gateway.observeRequest({ endpoint: '/x', status: 200, durationMs: 3 });
  await expect(readsTo(collector, 'gateway_requests_total', 4)).resolves.toBe(true);
});

test('a process that is gone takes its gauges along and leaves its counters', async () => {
  let nowMs = 0;
  const collector = await collect(createProcess({ requests: 1, inUse: 0 }), () => nowMs);
  publish(createProcess({ requests: 3, inUse: 9 }), 'runtime');
  await readsTo(collector, 'gateway_requests_total', 4);
  nowMs = 30_001;
  const text = await collector.render();
  expect(find(text, 'gateway_requests_total')).toBe(4);
  expect(find(text, 'gateway_spool_pending_records')).toBe(1);
  expect(find(text, 'gateway_db_pool_utilization_percent')).toBe(0);
});

test('reports that cannot be added up are left out, number by number', async () => {
  const collector = await collect(createMetrics());
  const family = { help: '', type: 'counter', aggregator: 'sum' };
  await bus.publish('metrics', {
    instance_id: 'newer',
    metrics: [
      {
        ...family,
        name: 'good_total',
        values: [
          { value: 1, labels: {} },
          { value: null, labels: { a: 'b' } },
        ],
      },
      { ...family, name: 'strange_total', aggregator: 'median', values: [] },
      { name: 'broken_total' },
      null,
    ],
  });
  await readsTo(collector, 'good_total', 1);
  expect(await collector.render()).not.toMatch(/strange_total|broken_total|null/);
});

test('the number of processes is bounded; the longest silent is forgotten', async () => {
  const collector = await collect(createMetrics());
  for (let n = 0; n < 70; n += 1) {
    const metrics = [
      { name: 'n_total', help: '', type: 'counter', aggregator: 'sum', values: [{ value: 1, labels: {} }] },
    ];
    await bus.publish('metrics', { instance_id: `process-${n}`, metrics });
  }
  await expect(readsTo(collector, 'n_total', 64)).resolves.toBe(true);
});
