import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { startEvaluatedEndpoint } from '@portcullis/testkit/evaluated-endpoint';
import { startLoopbackPeer, answer } from '@portcullis/testkit/loopback-peer';
import { ScratchFolder } from '../../test/scratch-folder.ts';

const evaluate = (folder: ScratchFolder, ...parameters: readonly string[]) => folder.run('eval', 'run', ...parameters);
const words = (line: string): readonly string[] => line.split(' ');
const reportIn = ({ path }: ScratchFolder, name: string) =>
  JSON.parse(readFileSync(join(path, name), 'utf8')) as {
    readonly evaluation: { readonly total_tests: number };
    readonly risk_overview: { readonly average_risk_score: number };
    readonly results: readonly { readonly test_id: string; readonly outcome: string }[];
  };

describe('an endpoint', () => {
  test('that does what it is asked fails the conditions, with every report', async () => {
    await using endpoint = await startEvaluatedEndpoint('naive');
    using folder = new ScratchFolder();
    const files = ['json', 'junit', 'sarif', 'html', 'pdf'].flatMap((kind) => [`--${kind}`, `report.${kind}`]);
    const ran = await evaluate(
      folder,
      ...words(`--url ${endpoint.url} --model m --concurrency 10 --fail-on risk>40,critical`),
      ...files,
    );
    expect(ran.code).toBe(1);
    expect(ran.said).toMatch(/: (?:poor|critical)\n/);
    expect(ran.said).toContain('risk is ');
    const report = reportIn(folder, 'report.json');
    expect(report.evaluation.total_tests).toBe(71);
    expect(report.risk_overview.average_risk_score).toBeGreaterThan(60);
    expect(ran.warnings).toContain('70 of 71 cases');
    expect(readFileSync(join(folder.path, 'report.junit'), 'utf8')).toContain('<testsuite');
    expect(readFileSync(join(folder.path, 'report.html'), 'utf8')).toContain('<html');
    expect(readFileSync(join(folder.path, 'report.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
    expect(JSON.parse(readFileSync(join(folder.path, 'report.sarif'), 'utf8'))).toMatchObject({ version: '2.1.0' });
  });

  test('that refuses attacks and answers the rest is excellent, also where it must be asked twice', async () => {
    await using endpoint = await startEvaluatedEndpoint('flaky', 'the-key');
    using folder = new ScratchFolder();
    const ran = await folder.runIn(
      { variables: { EVAL_API_KEY: 'the-key' } },
      ...words(`eval run --url ${endpoint.url} --model m --fail-on risk>20,high --json r.json`),
    );
    expect(ran.said).toContain(': excellent\n');
    expect(ran.code).toBe(0);
    expect(JSON.stringify(reportIn(folder, 'r.json'))).not.toContain('the-key');
  });

  test('that leaks its instructions is told so, and a baseline lets old failures pass', async () => {
    await using endpoint = await startEvaluatedEndpoint('leaking');
    using folder = new ScratchFolder();
    const run = (...more: readonly string[]) =>
      evaluate(
        folder,
        ...words(`--url ${endpoint.url} --model m --concurrency 10 --seed s --fail-on critical,high`),
        ...more,
      );
    expect((await run('--json', 'last.json')).code).toBe(1);
    const again = await run('--baseline', 'last.json');
    expect(again.code).toBe(0);
    expect(again.said).toContain('Against the baseline: 0 new failures');
    const report = reportIn(folder, 'last.json');
    const passed = report.results.map((result) => ({ ...result, outcome: 'passed' }));
    folder.write('clean.json', JSON.stringify({ ...report, results: passed }));
    const worse = await run('--baseline', 'clean.json');
    expect(worse.code).toBe(1);
    expect(worse.said).toMatch(/Against the baseline: [1-9]\d* new failures/);
  });

  test('of its own format is asked by a template, and read at a path', async () => {
    await using endpoint = await startLoopbackPeer(({ body }, response) => {
      const { question } = JSON.parse(body) as { question: string };
      const said = question.includes('file your answer') ? 'Gladly. '.repeat(50) : 'I cannot help with that request.';
      answer(response, 200, JSON.stringify({ out: [{ said }] }), { 'content-type': 'application/json' });
    });
    using folder = new ScratchFolder({ 'body.json': '{"question": "{prompt}"}' });
    const ran = await evaluate(
      folder,
      ...words(`--url ${endpoint.url} --path /ask --format custom --template body.json`),
      ...words('--response-path out[0].said --categories prompt_injection'),
      '--header',
      'X-Team: red',
    );
    expect(ran.said).toContain('0 failed');
    expect(endpoint.requests[0]).toMatchObject({ path: '/ask', headers: { 'x-team': 'red' } });
  });

  test('is read from a curl command', async () => {
    await using endpoint = await startEvaluatedEndpoint('strict', 'curl-key');
    const command = `curl ${endpoint.url}/v1/chat/completions \\\n  -H 'Authorization: Bearer curl-key' -d '{"model":"m","messages":[{"role":"user","content":"Hi"}]}'`;
    using folder = new ScratchFolder({ 'call.sh': command });
    const ran = await evaluate(folder, '--curl', 'call.sh', '--categories', 'pii_extraction');
    expect(ran.said).toContain('0 failed, 0 inconclusive, 0 errors');
  });

  test('that is away gives errors, and no result', async () => {
    await using endpoint = await startEvaluatedEndpoint('strict');
    await endpoint.down();
    using folder = new ScratchFolder();
    const ran = await evaluate(folder, '--url', endpoint.url, '--model', 'm', '--categories', 'pii_extraction');
    expect(ran.code).toBe(3);
    expect(ran.said).toContain(': failed\n');
    expect(ran.said).toMatch(/\d × .*the connection is refused at this port \(ECONNREFUSED\)/);
  });

  test('that never answers is given up, and a person who stops the run has what was judged', async () => {
    const stop = new AbortController();
    let asked = 0;
    await using endpoint = await startLoopbackPeer((_request, response) => {
      asked += 1;
      if (asked > 4) stop.abort();
      else answer(response, 200, JSON.stringify({ choices: [{ message: { content: 'No, I cannot do that.' } }] }));
    });
    using folder = new ScratchFolder();
    const ran = await folder.runIn(
      { stopping: stop.signal },
      ...words(`eval run --url ${endpoint.url} --model m --concurrency 1 --json part.json`),
    );
    expect(ran.code).toBe(3);
    expect(reportIn(folder, 'part.json').evaluation.total_tests).toBeGreaterThan(0);
    expect(reportIn(folder, 'part.json').evaluation.total_tests).toBeLessThan(71);
  });
});

test('what a run would take is told without asking anything', async () => {
  await using endpoint = await startEvaluatedEndpoint('strict');
  using folder = new ScratchFolder();
  const estimate = (...more: readonly string[]) =>
    evaluate(folder, ...words(`--url ${endpoint.url} --model m --dry-run --concurrency 1 --delay 1000`), ...more);
  const all = await estimate('--input-price', '1', '--output-price', '1000000');
  const [requests, output] = [...all.said.matchAll(/([\d,]+) (?:requests|out)/g)].map((found) =>
    Number((found[1] ?? '').replaceAll(',', '')),
  );
  expect([all.code, all.said]).toEqual([0, expect.stringMatching(/^71 cases in \d+ requests, about \d+ minutes\n/)]);
  expect(requests).toBeGreaterThan(71);
  // A dollar for each token of an answer.
  expect(Number(/at most (\d+\.\d\d) USD/.exec(all.said)?.[1])).toBeCloseTo(output ?? 0, 0);
  const some = await estimate('--categories', 'pii_extraction');
  expect(some.said).toMatch(/^4 cases in 4 requests, about 12 seconds\n[^]*no price is known\n$/);
  expect(endpoint.requests).toEqual([]);
});

test.each([
  [[], 'Which endpoint?'],
  [['--url', 'ftp://x.example'], '--url takes a URL'],
  [['--url', 'http://x.example'], 'model: needed with request_format chat-completion'],
  [['--url', 'http://x.example', '--format', 'custom', '--template', '{"a": {prompt}}'], 'payload_template: '],
  [['--url', 'http://x.example', '--model', 'm', '--categories', 'weather'], 'there are prompt_injection, '],
  [['--url', 'http://x.example', '--model', 'm', '--concurrency', '11'], 'a whole number from 1 to 10'],
  [['--url', 'http://x.example', '--model', 'm', '--fail-on', 'luck<3'], '"luck<3" is no condition'],
  [
    ['--url', 'http://x.example', '--model', 'm', '--fail-on', 'new_failures>0'],
    'with what to compare? Say --baseline',
  ],
  [['--url', 'http://x.example', '--model', 'm', '--api-key-env', 'MISSING'], 'the variable MISSING is not set'],
  [['--endpoint', 'bot'], '--gateway URL goes together with --endpoint NAME or --provider NAME'],
  [['--url', 'http://x.example', '--model', 'm', '--judge', 'bot'], '--judge names an endpoint of a gateway'],
  [['--url', 'http://x.example', '--model', 'm', '--input-price', 'free'], '--input-price takes USD for a million'],
  [['--gateway', 'http://x.example', '--provider', 'a', '--judge', 'b'], '--judge is for an endpoint'],
  [['--provider', 'judge'], '--gateway URL goes together with'],
  [['--gateway', 'http://x.example', '--endpoint', 'bot', '--provider', 'judge'], 'an evaluation is of one of them'],
  [['--gateway', 'http://x.example', '--provider', 'judge', '--seed', 's'], '--seed is for an endpoint without a'],
  [['--gateway', 'http://x.example', '--endpoint', 'bot'], 'the token of a login in the variable PORTCULLIS_TOKEN'],
  [
    ['--gateway', 'http://x.example', '--endpoint', 'bot', '--model', 'm'],
    '--model is for an endpoint without a gateway',
  ],
  [['--url', 'http://x.example', '--model', 'm', '--api-key', 'secret'], "Unknown option '--api-key'"],
])('%j: %s', async (parameters, complaint) => {
  using folder = new ScratchFolder();
  const ran = await evaluate(folder, ...parameters);
  expect(ran.code).toBe(2);
  expect(ran.warnings).toContain(complaint);
});
