import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Evaluation } from '@portcullis/contracts/evaluation';
import { startEvaluatedEndpoint } from '@portcullis/testkit/evaluated-endpoint';
import { startLoopbackPeer } from '@portcullis/testkit/loopback-peer';
import type { TestGateway } from '@portcullis/testkit/test-gateway';
import { waitFor } from '@portcullis/testkit/wait-for';
import { createEvaluationClient, fetchReport } from './evaluation-client.ts';
import { setUpProxy } from './set-up-proxy.ts';
import { startGateway } from './start-gateway.ts';

const script = join(import.meta.dirname, '../../../scripts/portcullis.mjs');

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

describe('the command asks a gateway', () => {
  let gateway: TestGateway;
  let folder: string;
  const opened = new AsyncDisposableStack();
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'portcullis-command-'));
    opened.defer(() => rmSync(folder, { recursive: true, force: true }));
    gateway = opened.use(await startGateway('one process'));
  });
  afterAll(() => opened.disposeAsync());
  const client = createEvaluationClient(() => gateway.admin);

  const environment = () => ({ PATH: process.env['PATH'] ?? '', PORTCULLIS_TOKEN: gateway.admin.token });
  const parametersOf = (line: string) => [script, 'eval', ...line.split(' '), '--gateway', gateway.url];
  const call = (line: string, env: Readonly<Record<string, string>> = environment()): Promise<Ran> =>
    new Promise((resolve) => {
      execFile(process.execPath, parametersOf(line), { cwd: folder, env }, (error, stdout, stderr) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
      );
    });
  const run = (line: string, env?: Readonly<Record<string, string>>) => call(`run ${line}`, env);

  test('to run evaluations, which are followed and end by their conditions, with reports of every kind', async () => {
    const peer = opened.use(await startEvaluatedEndpoint('naive'));
    const { id } = await client.createEndpoint({ name: 'naive bot', url: peer.url });
    const files = ['json', 'junit', 'sarif', 'html', 'pdf'].map((kind) => `--${kind} report.${kind}`).join(' ');
    const ran = await run(`--endpoint ${id} --concurrency 10 --delay 0 --fail-on risk>40,critical ${files}`);
    expect([ran.code, ran.stdout]).toEqual([1, expect.stringContaining('naive bot: ')]);
    expect(ran.stderr).toMatch(/^Evaluation \d+ of naive bot started, 71 cases\n/);
    expect(ran.stderr).toContain('71 of 71 cases');
    const json = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as {
      readonly evaluation: { readonly id: string; readonly total_tests: number };
    };
    expect(json.evaluation.total_tests).toBe(71);
    expect(readFileSync(join(folder, 'report.pdf')).subarray(0, 5).toString()).toBe('%PDF-');

    // The gateway makes the same reports.
    const theirs = await fetchReport(gateway, Number(json.evaluation.id), 'json');
    expect(await theirs.json()).toEqual(json);

    const again = await run(
      `--endpoint ${id} --categories pii_extraction --concurrency 10 --delay 0 --fail-on critical,high --baseline report.json`,
    );
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('Against the baseline: 0 new failures')]);
  }, 180_000);

  test('and cancels an evaluation with Ctrl-C, and tells what was judged until then', async () => {
    let asked = 0;
    const peer = opened.use(
      await startLoopbackPeer((_request, response) => {
        asked += 1;
        if (asked > 3) return;
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ choices: [{ message: { content: 'No, I cannot do that.' } }] }));
      }),
    );
    // What is under way is waited for: no longer than the endpoint may take.
    await client.createEndpoint({ name: 'slow', url: peer.url, timeout_seconds: 3 });
    const child = spawn(
      process.execPath,
      parametersOf('run --endpoint slow --concurrency 1 --delay 0 --json part.json'),
      {
        cwd: folder,
        env: environment(),
      },
    );
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (said += data.toString()));
    const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
    await waitFor(() => asked > 3, { what: 'a case that gets no answer' });
    child.kill('SIGINT');
    expect([await ended, said]).toEqual([3, expect.stringContaining('Cancelling evaluation')]);
    const { evaluations } = await client.ask<{ evaluations: Evaluation[] }>('GET', '/evaluations?search=slow');
    expect(evaluations[0]).toMatchObject({ status: 'cancelled' });
    const { evaluation } = JSON.parse(readFileSync(join(folder, 'part.json'), 'utf8')) as {
      readonly evaluation: { readonly total_tests: number };
    };
    expect(evaluation.total_tests).toBeGreaterThan(0);
    expect(evaluation.total_tests).toBeLessThan(71);
  }, 120_000);

  test('what a policy would have done on traffic, and with a change of it', async () => {
    const rule = { id: 'word', patterns: [{ literal: 'zanzibar' }] };
    const file = (action: string) => ({ name: 'house', rules: [{ ...rule, action }] });
    await gateway.admin.expect('POST', '/policies', { document: file('block') });
    const peer = opened.use(await startEvaluatedEndpoint('strict'));
    const proxy = await setUpProxy(gateway.admin, peer.url, { policies: ['house'] });
    const said = await fetch(`${proxy.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${proxy.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'The zanzibar plan' }] }),
    });
    expect(said.status).toBe(403);
    const alert = await waitFor(
      async () =>
        (await gateway.admin.expect<{ alerts: { id: number }[] }>('GET', `/system/alerts?proxy_id=${proxy.id}`))
          .alerts[0],
      { what: 'the alert' },
    );
    await gateway.admin.expect('PUT', `/system/alerts/${alert.id}/status`, { status: 'resolved' });
    writeFileSync(join(folder, 'house.json'), JSON.stringify(file('monitor')));
    writeFileSync(join(folder, 'samples.jsonl'), JSON.stringify({ id: 's', text: 'to zanzibar', label: 'attack' }));
    const ran = await call(
      `policy house.json --samples samples.jsonl --logged 10 --against proxy:${proxy.id} --fail-on new-misses --json exam.json`,
    );
    expect([ran.code, ran.stdout]).toEqual([1, expect.stringContaining('new-misses: 2')]);
    expect(ran.stdout).toMatch(
      new RegExp(`logged/${alert.id} +attack +blocked → flagged +missed since the change +word`),
    );
    expect(JSON.parse(readFileSync(join(folder, 'exam.json'), 'utf8'))).toMatchObject({
      before: { total: { recall: 1 } },
      after: { total: { recall: 0 }, sources: [{ source: 'samples' }, { source: 'logged' }] },
    });
    const same = await call(`policy house --samples samples.jsonl --against policies:house --fail-on new-misses`);
    expect([same.code, same.stdout]).toEqual([0, expect.stringContaining('0 new misses')]);
  }, 60_000);

  test('and tells why it refuses', async () => {
    const unknown = await run('--endpoint naive-bot');
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('did you mean "naive bot"?')]);
    const stranger = await run('--endpoint 1', { ...environment(), PORTCULLIS_TOKEN: 'wrong' });
    expect([stranger.code, stranger.stderr]).toEqual([3, expect.stringContaining('answered 401')]);
  }, 60_000);
});
