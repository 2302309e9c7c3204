import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type {
  Evaluation,
  EvaluationDashboard,
  EvaluationEstimate,
  EvaluationResult,
} from '@portcullis/contracts/evaluation';
import type { EvaluationComparison, EvaluationTrend } from '@portcullis/contracts/routes/evaluations';
import { startEvaluatedEndpoint, type EndpointBehaviour } from '@portcullis/testkit/evaluated-endpoint';
import { startGuardrailPeer } from '@portcullis/testkit/guardrails/guardrail-peer';
import { startLoopbackPeer } from '@portcullis/testkit/loopback-peer';
import type { TestGateway } from '@portcullis/testkit/test-gateway';
import { waitFor } from '@portcullis/testkit/wait-for';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { base, createEvaluationClient, fetchReport } from './evaluation-client.ts';
import { setUpProxy } from './set-up-proxy.ts';
import { startGateway, waysFor } from './start-gateway.ts';

describe.each(waysFor('services'))('evaluations (%s)', (way) => {
  let gateway: TestGateway;
  const opened = new AsyncDisposableStack();
  beforeAll(async () => {
    gateway = opened.use(await startGateway(way, {}, ['notifier', 'guardrails-worker']));
  });
  afterAll(() => opened.disposeAsync());
  const client = createEvaluationClient(() => gateway.admin);
  const { ask, start, ended, results } = client;

  const endpointOf = async (conduct: EndpointBehaviour) => {
    const peer = opened.use(await startEvaluatedEndpoint(conduct, 'sk-of-the-endpoint'));
    const fields = { url: peer.url, auth_type: 'bearer', api_key: 'sk-of-the-endpoint' };
    return { peer, ...(await client.createEndpoint(fields)) };
  };
  const dashboardOf = (id: number) => ask<EvaluationDashboard>('GET', `/evaluations/${id}/dashboard`);

  test('a strict endpoint does well and a naive one badly, on /ws and in status, dashboard and results', async () => {
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/ws?token=${gateway.admin.token}`);
    const heard: { readonly type: string; readonly payload: Evaluation }[] = [];
    socket.on('message', (data: Buffer) => heard.push(JSON.parse(data.toString()) as (typeof heard)[number]));
    await once(socket, 'open');
    const [strict, naive] = [await endpointOf('strict'), await endpointOf('naive')];
    const [well, badly] = [
      await start({ endpoint_id: strict.id, concurrency: 10 }),
      await start({ endpoint_id: naive.id, concurrency: 10 }),
    ];
    expect(well).toMatchObject({ status: 'running', total_tests: 71, completed: 0, scores: null, started_by: 'admin' });
    expect(await ended(well.id)).toMatchObject({
      status: 'completed',
      completed: 71,
      errors: 0,
      cancel_requested: false,
    });
    expect(await ended(badly.id)).toMatchObject({ status: 'completed', completed: 71, errors: 0 });
    const good = await dashboardOf(well.id);
    expect(good).toMatchObject({
      evaluation: { id: well.id, total_tests: 71 },
      risk_overview: { average_risk_score: expect.any(Number), owasp_score: expect.any(Number) },
      rating: { state: 'rated', band: 'excellent' },
      false_positive_count: 0,
      avg_response_ms: expect.any(Number),
    });
    expect(good.category_breakdown).toHaveLength(12);
    const bad = await dashboardOf(badly.id);
    expect(Number(bad.risk_overview.average_risk_score)).toBeGreaterThan(40);
    expect(['poor', 'critical']).toContain(bad.rating.band);
    const { results: failed } = await ask<{ results: EvaluationResult[] }>(
      'GET',
      `/evaluations/${badly.id}/results?outcome=failed&category=data_exfiltration`,
    );
    expect(failed[0]).toMatchObject({ verdict: 'allowed', status_code: 200, reason: expect.any(String) });
    expect(JSON.stringify(await results(badly.id))).not.toContain('sk-of-the-endpoint');
    await waitFor(
      () =>
        heard.some(
          ({ type, payload }) =>
            type === 'guardrails_evaluation_progress' && payload.id === well.id && payload.status === 'completed',
        ),
      { what: 'the end on /ws' },
    );
    expect(heard.some(({ payload }) => payload.id === well.id && payload.status === 'running')).toBe(true);
    socket.close();

    const compared = await ask<EvaluationComparison>('GET', `/evaluations/${badly.id}/compare?baseline_id=${well.id}`);
    expect(compared.new_failures.length).toBeGreaterThan(20);
    expect(compared.risk_change).toBeGreaterThan(20);
    const page = await ask<{ evaluations: Evaluation[]; total: number }>('GET', `/evaluations?endpoint_id=${naive.id}`);
    expect([page.total, page.evaluations[0]?.scores?.rating.band]).toEqual([1, bad.rating.band]);

    for (const [format, type, sign] of [
      ['html', 'text/html; charset=utf-8', '<!doctype html>'],
      ['pdf', 'application/pdf', '%PDF-'],
      ['json', 'application/json; charset=utf-8', '"risk_overview"'],
      ['junit', 'application/xml; charset=utf-8', '<?xml'],
      ['sarif', 'application/sarif+json; charset=utf-8', '"version": "2.1.0"'],
    ] as const) {
      const report = await fetchReport(gateway, badly.id, format);
      expect([report.status, report.headers.get('content-type')]).toEqual([200, type]);
      expect(report.headers.get('content-disposition')).toMatch(/^attachment; filename="evaluation-\d+\.\w+"$/);
      expect(await report.text()).toContain(sign);
    }
    expect((await fetchReport(gateway, badly.id, 'docx')).status).toBe(400);
    expect((await fetchReport(gateway, 999_999, 'html')).status).toBe(404);
  });

  test('one that leaks is found out, and one that is busy is waited for', async () => {
    const [leaking, flaky] = [await endpointOf('leaking'), await endpointOf('flaky')];
    const [leaked, waited] = [
      await start({ endpoint_id: leaking.id, concurrency: 10 }),
      await start({ endpoint_id: flaky.id, concurrency: 10 }),
    ];
    expect(await ended(leaked.id)).toMatchObject({ status: 'completed' });
    const leaks = (await results(leaked.id)).filter(({ outcome }) => outcome === 'failed');
    expect(leaks.some(({ test_case: { category } }) => category === 'data_exfiltration')).toBe(true);
    expect(await ended(waited.id)).toMatchObject({ status: 'completed', errors: 0 });
    expect((await dashboardOf(waited.id)).rating.band).toBe('excellent');
  });

  test('a false positive counts as passed at once, with who said so and why, and can be taken back', async () => {
    const { id: endpointId } = await endpointOf('naive');
    const { id } = await start({ endpoint_id: endpointId, concurrency: 10, categories: ['pii_extraction'] });
    await ended(id);
    const before = await dashboardOf(id);
    const failure = (await results(id)).find(({ outcome }) => outcome === 'failed');
    const path = `/results/${failure?.id}/false-positive`;
    expect(await gateway.admin.call('PUT', `${base}${path}`, { is_false_positive: true })).toMatchObject({
      status: 400,
    });
    const reviewed = await ask('PUT', path, { is_false_positive: true, notes: 'made up data' });
    expect(reviewed).toMatchObject({
      result: { is_false_positive: true, false_positive_notes: 'made up data', reviewed_by: 'admin' },
      false_positive_count: 1,
    });
    const after = await dashboardOf(id);
    expect(Number(after.pass_rate)).toBeGreaterThan(Number(before.pass_rate));
    expect(after.risk_overview.raw_risk_score).toBe(before.risk_overview.average_risk_score);
    expect(after.evaluation.scores?.pass_rate).toBe(after.pass_rate);
    await ask('PUT', path, { is_false_positive: false });
    expect((await dashboardOf(id)).risk_overview).toEqual(before.risk_overview);
    const { logs } = await gateway.admin.expect<{ logs: { event_type: string }[] }>('GET', '/audit/logs?limit=20');
    expect(logs.filter(({ event_type: type }) => type === 'guardrail.result.reviewed')).toHaveLength(2);
  });

  test('is estimated, cancelled with its results kept, shown in a trend, and deleted', async () => {
    const { id: endpointId } = await endpointOf('strict');
    await gateway.admin.expect('PUT', `${base}/endpoints/${endpointId}`, { input_price: 1, output_price: 5 });
    const fields = { name: 'e', endpoint_id: endpointId, concurrency: 1, delay_ms: 300 };
    const estimate = await ask<EvaluationEstimate>('POST', '/evaluations/estimate', fields);
    expect(estimate).toMatchObject({ cases: 71, cost_usd: expect.any(Number) });
    expect(estimate.requests).toBeGreaterThan(71);
    const slow = await start(fields);
    expect(slow.estimate).toEqual(estimate);
    expect(await gateway.admin.call('DELETE', `${base}/evaluations/${slow.id}`)).toMatchObject({ status: 409 });
    expect(await gateway.admin.call('DELETE', `${base}/endpoints/${endpointId}`)).toMatchObject({ status: 409 });
    await waitFor(async () => (await client.status(slow.id)).completed > 2, { what: 'some results' });
    await ask('POST', `/evaluations/${slow.id}/cancel`);
    const end = await ended(slow.id);
    expect(end).toMatchObject({ status: 'cancelled', cancel_requested: true });
    expect(end.completed).toBeLessThan(71);
    expect(await results(slow.id)).toHaveLength(end.completed);
    expect((await dashboardOf(slow.id)).rating).toMatchObject({ state: 'inconclusive', band: null });
    expect(await gateway.admin.call('POST', `${base}/evaluations/${slow.id}/cancel`)).toMatchObject({ status: 409 });
    for (const count of [1, 2]) {
      const quick = await start({ ...fields, categories: ['benign_control'], concurrency: 10, delay_ms: 0 });
      await ended(quick.id);
      const trend = await ask<EvaluationTrend>('GET', `/evaluations/trend?endpoint_id=${endpointId}`);
      expect(trend.points).toHaveLength(count);
    }
    await gateway.admin.expect('DELETE', `${base}/evaluations/${slow.id}`);
    expect(await gateway.admin.call('GET', `${base}/evaluations/${slow.id}`)).toMatchObject({ status: 404 });
  });

  test('of an endpoint that is away fails with the reason, and has no score', async () => {
    const { peer, id: endpointId } = await endpointOf('strict');
    await peer.down();
    const { id } = await start({ endpoint_id: endpointId, concurrency: 10, categories: ['pii_extraction'] });
    const { status, reason } = await ended(id);
    expect([status, reason]).toEqual(['failed', expect.stringContaining('4 of 4 cases ended in errors')]);
    expect((await results(id))[0]).toMatchObject({ outcome: 'error', reason: expect.stringContaining('ECONNREFUSED') });
    expect(await dashboardOf(id)).toMatchObject({ risk_overview: { average_risk_score: null }, pass_rate: null });
  });

  test('a proxy of the gateway and a guardrail provider are evaluated too, with a model that judges beside the rules', async () => {
    const { peer } = await endpointOf('strict');
    const proxy = await setUpProxy(gateway.admin, peer.url, { targetKey: 'sk-of-the-endpoint' });
    const judging = opened.use(
      await startLoopbackPeer((_request, response) => {
        const content = '{"verdict": "blocked", "confidence": 0.9, "reason": "It refuses."}';
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ choices: [{ message: { content } }] }));
      }),
    );
    const judge = await client.createEndpoint({ url: judging.url });
    const behind = await client.createEndpoint({
      url: '',
      proxy_id: proxy.id,
      auth_type: 'bearer',
      api_key: proxy.key,
    });
    const fields = { categories: ['pii_extraction'], concurrency: 10 };
    const through = await start({ ...fields, endpoint_id: behind.id, judge_endpoint_id: judge.id });
    expect(await ended(through.id)).toMatchObject({ status: 'completed', errors: 0, failed: 0 });
    expect((await results(through.id))[0]?.model_verdict).toEqual({
      verdict: 'blocked',
      confidence: 0.9,
      reason: 'It refuses.',
    });
    const guardrail = opened.use(await startGuardrailPeer('bedrock'));
    const provider = await gateway.admin.expect<{ id: number }>('POST', `${base}/providers`, {
      name: 'evaluated',
      ...guardrail.provider,
    });
    const { id } = await start({ ...fields, guardrail_provider_id: provider.id });
    expect(await ended(id)).toMatchObject({ status: 'completed', errors: 0, completed: 4 });
    expect((await results(id))[0]).toMatchObject({
      status_code: null,
      reason: expect.stringContaining('guardrail provider'),
    });
  });

  test.each<[object, string]>([
    [{}, 'endpoint_id'],
    [{ endpoint_id: 1, guardrail_provider_id: 1 }, 'endpoint_id'],
    [{ endpoint_id: 2_147_483_647 }, 'endpoint_id'],
    [{ guardrail_provider_id: 2_147_483_647 }, 'guardrail_provider_id'],
    [{ endpoint_id: 1, categories: ['weather'] }, 'categories'],
    [{ endpoint_id: 1, concurrency: 11 }, 'concurrency'],
    [{ endpoint_id: 1, delay_ms: -1 }, 'delay_ms'],
    [{ endpoint_id: 1, judge_endpoint_id: 2_147_483_647 }, 'judge_endpoint_id'],
  ])('%j is refused, naming %s', async (fields, field) => {
    const refusal = await gateway.admin.call('POST', `${base}/evaluations`, { name: 'bad', ...fields });
    expect([refusal.status, JSON.stringify(refusal)]).toEqual([400, expect.stringContaining(`/body/${field}`)]);
  });
});
