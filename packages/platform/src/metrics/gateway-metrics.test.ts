import { describe, expect, test } from '@jest/globals';
import { createMetrics } from './metrics.ts';

/** The sample lines of the gateway's own families. */
async function samples(metrics: ReturnType<typeof createMetrics>): Promise<string[]> {
  return (await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith('gateway_'));
}

describe('the metrics of the gateway', () => {
  test('has every documented family, with its help and its type, before anything happened', async () => {
    const text = await createMetrics().registry.metrics();
    const families = [...text.matchAll(/^# TYPE (gateway_\w+ \w+)$/gm)].map(([, family]) => family);
    expect(families).toEqual(
      expect.arrayContaining([
        'gateway_requests_total counter',
        'gateway_request_duration_seconds histogram',
        'gateway_errors_total counter',
        'gateway_proxy_requests_total counter',
        'gateway_stage_denials_total counter',
        'gateway_policy_evaluations_total counter',
        'gateway_policy_evaluations_matches_total counter',
        'gateway_policy_evaluations_misses_total counter',
        'gateway_db_queries_total counter',
        'gateway_db_query_duration_seconds histogram',
        'gateway_db_pool_utilization_percent gauge',
        'gateway_spool_pending_records gauge',
        'gateway_spool_shed_records_total counter',
        'gateway_alert_deliveries_total counter',
      ]),
    );
  });

  test('reads how many proxies run without a policy whenever it is read', async () => {
    const metrics = createMetrics();
    let open = 3;
    metrics.gateway.watchUninspected(() => open);
    expect(await samples(metrics)).toContain('gateway_proxies_without_policy 3');
    open = 0;
    expect(await samples(metrics)).toContain('gateway_proxies_without_policy 0');
  });

  test('counts requests, their time and their errors', async () => {
    const metrics = createMetrics();
    metrics.gateway.observeRequest({ endpoint: '/proxies/:id', status: 200, durationMs: 4 });
    metrics.gateway.observeRequest({ endpoint: '/proxies/:id', status: 404, durationMs: 40 });
    metrics.gateway.observeRequest({ endpoint: '/proxies/:id', status: 404, durationMs: 400_000 });
    expect(await samples(metrics)).toEqual(
      expect.arrayContaining([
        'gateway_requests_total 3',
        'gateway_request_duration_seconds_bucket{le="0.005"} 1',
        'gateway_request_duration_seconds_bucket{le="0.05"} 2',
        'gateway_request_duration_seconds_bucket{le="300"} 2',
        'gateway_request_duration_seconds_bucket{le="+Inf"} 3',
        'gateway_request_duration_seconds_sum 400.044',
        'gateway_errors_total{endpoint="/proxies/:id",status="404"} 2',
      ]),
    );
  });

  test('counts by proxy, by denial and by policy outcome', async () => {
    const metrics = createMetrics();
    const proxy = { id: 7, name: 'a "quoted"\nname', type: 'llm' };
    for (let n = 0; n < 3; n += 1) metrics.gateway.countProxyRequest(proxy);
    metrics.gateway.countDenial('limit-rate', 'rate_limited');
    metrics.gateway.countPolicyEvaluations(5, 2);
    metrics.gateway.countDelivery('chat', 'failed');
    expect(await samples(metrics)).toEqual(
      expect.arrayContaining([
        String.raw`gateway_proxy_requests_total{proxy_id="7",proxy_name="a \"quoted\"\nname",proxy_type="llm"} 3`,
        'gateway_stage_denials_total{stage="limit-rate",reason="rate_limited"} 1',
        'gateway_policy_evaluations_total 5',
        'gateway_policy_evaluations_matches_total 2',
        'gateway_policy_evaluations_misses_total 3',
        'gateway_alert_deliveries_total{channel="chat",outcome="failed"} 1',
      ]),
    );
  });

  test('reads pool and spools when it is read', async () => {
    const metrics = createMetrics();
    const pool = {
      maxOpenConnections: 20,
      openConnections: 8,
      inUse: 5,
      idle: 3,
      waiting: 0,
      waitCount: 2,
      waitMs: 30,
      idleClosed: 1,
    };
    const spool = { pendingRecords: 4, shedRecords: 1, rejectedRecords: 1 };
    metrics.gateway.watchPool(() => pool);
    metrics.gateway.watchSpool(() => spool);
    metrics.gateway.watchSpool(() => spool);
    metrics.gateway.observeQuery(2);
    await samples(metrics);
    spool.pendingRecords = 6;
    expect(await samples(metrics)).toEqual(
      expect.arrayContaining([
        'gateway_db_queries_total 1',
        'gateway_db_query_duration_seconds_sum 0.002',
        'gateway_db_pool_utilization_percent 25',
        'gateway_spool_pending_records 12',
        'gateway_spool_shed_records_total 2',
        'gateway_spool_rejected_records_total 2',
      ]),
    );
  });
});
