import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  getMetrics,
  getPoolHealth,
  getPoolStats,
  getSystemInfo,
  getSystemMetrics,
  getVersion,
} from '@portcullis/contracts/routes/metrics';
import { listProxies } from '@portcullis/contracts/routes/proxies';
import { version } from '@portcullis/platform/process/version';
import { insertHeartbeat } from '../../test/follow-desired-state.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

describe.each(stores)('metrics and information (%s)', (store) => {
  let management: TestManagement;
  beforeAll(async () => {
    management = await startManagement(store);
    const { metrics, database } = management.infrastructure;
    metrics.gateway.watchPool(() => database.poolStats());
  });
  afterAll(() => management.stop());

  test('the snapshot counts what the API answered', async () => {
    await management.anonymous.status(listProxies);
    const { request_metrics: requests, error_metrics: errors } = await management.admin.data(getMetrics);
    expect(requests.total_requests).toBeGreaterThan(0);
    expect(errors['/api/v1/proxies']?.['401']).toBeGreaterThan(0);
  });

  test('the pool is counted and judged', async () => {
    const stats = await management.admin.data(getPoolStats);
    expect(stats.max_open_connections).toBe(store === 'server' ? 5 : 1);
    expect(stats.open_connections).toBeGreaterThan(0);
    expect(await management.admin.data(getPoolHealth)).toMatchObject({ in_use: expect.any(Number) });
  });

  test('the system tells what runs, with its processes and their health', async () => {
    await insertHeartbeat(management.infrastructure.database, 'notifier', undefined, { ageS: 30 });
    expect(await management.admin.data(getSystemInfo)).toMatchObject({
      system_name: 'Portcullis',
      version,
      node: process.version,
      environment: 'development',
      instances: [{ service: 'notifier', status: 'healthy', alive: false }],
      counts: { users: 1, proxies: 0, proxies_running: 0 },
    });
    expect(await management.admin.data(getVersion)).toEqual({ version, node: process.version });
    expect(await management.admin.data(getSystemMetrics)).toMatchObject({ uptime_seconds: expect.any(Number) });
  });

  test('viewers may read them, callers without a login may not', async () => {
    const viewer = management.anonymous.as(await management.signIn('viewer'));
    for (const route of [getMetrics, getSystemMetrics, getPoolHealth, getPoolStats, getSystemInfo, getVersion]) {
      expect([await viewer.status(route), await management.anonymous.status(route)]).toEqual([200, 401]);
    }
  });

  test('the exposition has every name of the specification with its labels', async () => {
    const { gateway } = management.infrastructure.metrics;
    const proxy = { id: 3, name: 'with "quotes", \\ and\nlines', type: 'mcp' };
    gateway.countProxyRequest(proxy);
    gateway.countPolicyEvaluations(2, 1);
    gateway.observeQuery(1);
    const families = parseExposition(await (await fetch(`${management.origin}/api/v1/metrics/prometheus`)).text());
    const labelsOf = (name: string) => families.get(name)?.samples.map(({ labels }) => Object.keys(labels).join())[0];
    expect(Object.fromEntries([...families].map(([name, { type }]) => [name, type]))).toMatchObject({
      gateway_requests_total: 'counter',
      gateway_request_duration_seconds: 'histogram',
      gateway_errors_total: 'counter',
      gateway_proxy_requests_total: 'counter',
      gateway_policy_evaluations_total: 'counter',
      gateway_policy_evaluations_matches_total: 'counter',
      gateway_policy_evaluations_misses_total: 'counter',
      gateway_db_queries_total: 'counter',
      gateway_db_query_duration_seconds: 'histogram',
      gateway_db_pool_utilization_percent: 'gauge',
    });
    expect(labelsOf('gateway_errors_total')).toBe('endpoint,status');
    expect(labelsOf('gateway_requests_total')).toBe('');
    expect(families.get('gateway_proxy_requests_total')?.samples).toContainEqual({
      name: 'gateway_proxy_requests_total',
      labels: { proxy_id: '3', proxy_name: proxy.name, proxy_type: 'mcp' },
      value: 1,
    });
  });
});

interface ExposedSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Reads the text format; throws for a line that is none. */
function parseExposition(text: string): Map<string, { type: string; samples: ExposedSample[] }> {
  const families = new Map<string, { type: string; samples: ExposedSample[] }>();
  let current: { type: string; samples: ExposedSample[] } | undefined;
  for (const line of text.split('\n').filter((each) => each !== '' && !each.startsWith('# HELP'))) {
    const type = /^# TYPE (\w+) (\w+)$/.exec(line);
    if (type !== null) {
      families.set(type[1] ?? '', (current = { type: type[2] ?? '', samples: [] }));
      continue;
    }
    const sample = /^(\w+)(?:\{((?:\w+="(?:[^"\\]|\\.)*",?)*)\})? (\S+)$/.exec(line);
    if (sample === null || current === undefined) throw new Error(`Not a line of the text format: ${line}`);
    const labels = [...(sample[2] ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(
      ([, name = '', value = '']) => [name, JSON.parse(`"${value}"`) as string] as const,
    );
    current.samples.push({ name: sample[1] ?? '', labels: Object.fromEntries(labels), value: Number(sample[3]) });
  }
  return families;
}
