import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createPolicy } from '@portcullis/contracts/routes/policies';
import { getPolicyMetrics } from '@portcullis/contracts/routes/policy-metrics';
import { createProxy } from '@portcullis/contracts/routes/proxies';
import { addProxyPolicy } from '@portcullis/contracts/routes/proxy-policies';
import { examplePolicy } from '../../test/example-policy.ts';
import { alertRecord, record, requestLogRecord } from '../../test/records.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

const dayMs = 86_400_000;
const now = Date.now();
const ago = (days: number) => new Date(now - days * dayMs).toISOString();

describe.each(stores)('the metrics of a policy (%s)', (store) => {
  let management: TestManagement;
  beforeAll(async () => {
    management = await startManagement(store);
    for (const name of ['busy', 'idle']) {
      await management.admin.data(createPolicy, { body: { document: examplePolicy(name) } });
    }
    const hit = { policy_name: 'busy' };
    await record(management.infrastructure, [
      alertRecord({ ...hit, severity: 'Critical', action: 'Block', timestamp: ago(0) }),
      alertRecord({ ...hit, severity: 'High', action: 'Block', timestamp: ago(2) }),
      alertRecord({ ...hit, severity: 'High', action: 'Monitor', timestamp: ago(2) }),
      alertRecord({ ...hit, severity: 'Low', action: 'Redact', timestamp: ago(40) }),
      alertRecord({ policy_name: 'another' }),
    ]);
    const { gateway } = management.infrastructure.metrics;
    gateway.countInspection({ names: ['busy'], matched: new Set(['busy']), durationMs: 0.5 });
  });
  afterAll(() => management.stop());

  test('tell hits, blocks, days, the last hit and the time of its scans', async () => {
    expect(await management.admin.data(getPolicyMetrics, { params: { name: 'busy' } })).toEqual({
      policy_name: 'busy',
      period_days: 30,
      hits: 3,
      blocked: 2,
      by_action: { Block: 2, Redact: 0, Monitor: 1, Log: 0 },
      by_severity: { Critical: 1, High: 2, Medium: 0, Low: 0 },
      days: [
        { day: ago(2).slice(0, 10), hits: 2 },
        { day: ago(0).slice(0, 10), hits: 1 },
      ],
      last_hit_at: ago(0),
      shadow: { proxies: 0, requests: 0, would_block: 0, would_change: 0, complete: true, rules: [], samples: [] },
      evaluations: 1,
      matches: 1,
      average_duration: '500µs',
    });
    const longer = await management.admin.data(getPolicyMetrics, { params: { name: 'busy' }, query: { days: 60 } });
    expect(longer).toMatchObject({ period_days: 60, hits: 4, blocked: 2, by_action: { Redact: 1 } });
  });

  test('tell apart what it would have done in shadow mode, of how many requests, and by which rule', async () => {
    const { admin, infrastructure } = management;
    const [tried, enforcing] = await Promise.all(
      [24_001, 24_002].map((port) =>
        admin.data(createProxy, { body: { name: `proxy-${port}`, type: 'llm', target: 'http://127.0.0.1:9', port } }),
      ),
    );
    const document = examplePolicy('tried');
    await admin.data(createPolicy, { body: { document } });
    const id = tried?.id ?? 0;
    const place = { params: { id, policyName: 'tried' } };
    await admin.data(addProxyPolicy, { ...place, body: { mode: 'shadow' } });
    const shadow = (rule: string, would: string, fields: object = {}) =>
      alertRecord({
        policy_name: 'tried',
        rule_id: rule,
        action: 'Monitor',
        proxy_id: id,
        raw_data: { shadow: true, would },
        ...fields,
      });
    await record(infrastructure, [
      ...Array.from({ length: 8 }, () => requestLogRecord({ proxy_id: id })),
      requestLogRecord({ proxy_id: enforcing?.id ?? 0 }),
      shadow('A', 'block', { timestamp: ago(1) }),
      shadow('A', 'block', { timestamp: ago(0), request_id: 'the-newest-one' }),
      shadow('B', 'redact', { timestamp: ago(1) }),
      shadow('A', 'block', { timestamp: ago(40) }),
      shadow('A', 'block', { proxy_id: enforcing?.id }),
      shadow('C', 'block', { raw_data: {} }),
    ]);
    const metrics = await admin.data(getPolicyMetrics, { params: { name: 'tried' } });
    expect(metrics.shadow).toMatchObject({
      proxies: 1,
      requests: 8,
      would_block: 2,
      would_change: 1,
      complete: true,
      rules: [
        { rule_id: 'A', would: 'block', count: 2 },
        { rule_id: 'B', would: 'redact', count: 1 },
      ],
    });
    expect(metrics.shadow.samples).toHaveLength(3);
    expect(metrics.shadow.samples[0]).toMatchObject({ rule_id: 'A', would: 'block', request_id: 'the-newest-one' });
  });

  test('of one that never hit are zeros, of an unknown one there are none', async () => {
    expect(await management.admin.data(getPolicyMetrics, { params: { name: 'idle' } })).toMatchObject({
      hits: 0,
      blocked: 0,
      days: [],
      last_hit_at: null,
      evaluations: 0,
      average_duration: '0s',
    });
    expect(await management.admin.status(getPolicyMetrics, { params: { name: 'unknown' } })).toBe(404);
    expect(await management.admin.status(getPolicyMetrics, { params: { name: 'idle' }, query: { days: 0 } })).toBe(400);
  });
});
