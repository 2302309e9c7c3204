import { expect, test } from '@jest/globals';
import { answer, startLoopbackPeer } from '@portcullis/testkit/loopback-peer';
import { builtinCases } from '@portcullis/core/evaluation/suite/builtin-cases';
import { ScratchFolder } from '../../test/scratch-folder.ts';

const base = '/api/v1/security/guardrails';
const started = { id: 7, name: 'nightly', target_name: 'bot', total_tests: 3, suite_version: '1' };
const status = { id: 7, total_tests: 3, completed: 3, failed: 1, reason: null, started_at: '2026-01-01T00:00:00Z' };
const estimate = {
  cases: 3,
  requests: 4,
  input_tokens: 1_000,
  output_tokens: 4_096,
  duration_ms: 9_000,
  cost_usd: 0.5,
};
const results = builtinCases.slice(0, 3).map((testCase, index) => ({
  test_case: testCase,
  outcome: index === 0 ? 'failed' : 'passed',
  verdict: 'allowed',
  detection: 'none',
  reason: 'It did what was asked',
  evidence: [],
  status_code: 200,
  response_time_ms: 1.5,
  is_false_positive: false,
  false_positive_notes: '',
}));

/** A gateway whose answers to questions about the status are given one after the other; the last one stays. */
async function startGatewayPeer(statuses: readonly (object | number)[]) {
  let asked = 0;
  return startLoopbackPeer(({ method, path }, response) => {
    const say = (data: unknown) =>
      answer(response, 200, JSON.stringify({ success: true, data }), { 'content-type': 'application/json' });
    const place = path.replace(base, '').replace(/\?.*/, '');
    if (place === '/endpoints') return say({ endpoints: [{ id: 3, name: 'bot' }], total: 1, limit: 1_000, offset: 0 });
    if (place === '/providers')
      return say({ providers: [{ id: 9, name: 'judge' }], total: 1, limit: 1_000, offset: 0 });
    if (place === '/evaluations/estimate') return say(estimate);
    if (method === 'POST') return say(started);
    if (place.endsWith('/results')) {
      const offset = Number(new URL(path, 'http://x').searchParams.get('offset'));
      return say({ results: results.slice(offset, offset + 2), total: 3, limit: 2, offset });
    }
    const next = statuses[Math.min(asked, statuses.length - 1)];
    asked += 1;
    if (typeof next === 'number')
      return answer(response, next, '{"success":false,"error":"Restarting","error_code":"X"}');
    return say({ ...status, ...next });
  });
}

const run = (folder: ScratchFolder, url: string, more: readonly string[] = [], of = '--endpoint 3') =>
  folder.runIn(
    { variables: { PORTCULLIS_TOKEN: 't' } },
    'eval',
    'run',
    '--gateway',
    url,
    ...`${of} --name nightly`.split(' '),
    ...more,
  );

test('a gateway that is restarted meanwhile is asked again, and all pages of results are read', async () => {
  await using gateway = await startGatewayPeer([
    503,
    { status: 'running', completed: 1 },
    502,
    { status: 'completed' },
  ]);
  using folder = new ScratchFolder();
  const ran = await run(folder, gateway.url, ['--categories', 'prompt_injection', '--fail-on', 'failed>0']);
  expect([ran.code, ran.said]).toEqual([1, expect.stringContaining('2 passed, 1 failed, 0 inconclusive, 0 errors')]);
  const start = gateway.requests.find(({ method }) => method === 'POST');
  expect(JSON.parse(start?.body ?? '')).toEqual({ name: 'nightly', endpoint_id: 3, categories: ['prompt_injection'] });
}, 20_000);

test('a guardrail provider is named by its name or id, and a name that is none is asked back', async () => {
  await using gateway = await startGatewayPeer([{ status: 'completed' }]);
  using folder = new ScratchFolder();
  for (const reference of ['judge', '9'])
    expect((await run(folder, gateway.url, [], `--provider ${reference}`)).said).toContain('1 failed');
  const starts = gateway.requests.filter(({ method }) => method === 'POST');
  expect(starts.map(({ body }) => JSON.parse(body) as unknown)).toEqual(
    Array.from({ length: 2 }, () => ({ name: 'nightly', guardrail_provider_id: 9, categories: [] })),
  );
  const unknown = await run(folder, gateway.url, [], '--provider jugde');
  expect([unknown.code, unknown.warnings]).toEqual([2, expect.stringContaining('has no guardrail provider jugde')]);
  expect(unknown.warnings).toContain('did you mean "judge"?');
});

test('a gateway tells what an evaluation would take, with a model that judges, and starts none', async () => {
  await using gateway = await startGatewayPeer([{ status: 'completed' }]);
  using folder = new ScratchFolder();
  const ran = await run(folder, gateway.url, ['--dry-run', '--judge', 'bot']);
  expect([ran.code, ran.said]).toEqual([
    0,
    '3 cases in 4 requests, about 9 seconds\nabout 1,000 tokens in, at most 4,096 out\nat most 0.5000 USD\n',
  ]);
  const posts = gateway.requests.filter(({ method }) => method === 'POST');
  expect(posts.map(({ path, body }) => [path, JSON.parse(body) as unknown])).toEqual([
    [`${base}/evaluations/estimate`, { name: 'nightly', endpoint_id: 3, judge_endpoint_id: 3, categories: [] }],
  ]);
  const unknown = await run(folder, gateway.url, ['--judge', 'nope']);
  expect([unknown.code, unknown.warnings]).toEqual([2, expect.stringContaining('--judge: the gateway has no')]);
});

test('an evaluation that has failed says why, and has no rating', async () => {
  await using gateway = await startGatewayPeer([{ status: 'failed', reason: 'The endpoint is gone' }]);
  using folder = new ScratchFolder();
  const ran = await run(folder, gateway.url);
  expect([ran.code, ran.said]).toEqual([3, expect.stringContaining('The endpoint is gone')]);
});

test('a refusal ends the command with its reason', async () => {
  await using gateway = await startGatewayPeer([403]);
  using folder = new ScratchFolder();
  const ran = await run(folder, gateway.url);
  expect([ran.code, ran.warnings]).toEqual([3, expect.stringContaining('answered 403: Restarting')]);
});
