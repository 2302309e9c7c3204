import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { waitFor } from '@portcullis/testkit/wait-for';

let demo: ChildProcess | undefined;
afterEach(() => void demo?.kill('SIGKILL'));

/** Starts the demo and answers what it prints, whole as soon as the tour is over. */
async function runDemo() {
  let output = '';
  const child = spawn(process.execPath, [join(import.meta.dirname, '../src/demo.ts')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  demo = child;
  const exited = once(child, 'exit');
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const over = () => output.includes('Ctrl-C stops it.') || child.exitCode !== null;
  await waitFor(over, { what: 'the end of the tour', timeoutMs: 240_000 });
  return { child, exited, output };
}

test('shows the whole tour beside ports that are taken, leaves a working gateway, and puts everything away', async () => {
  // Another process may have one of them already: taken is what counts.
  const takers = [8_080, 8_090].map((port) =>
    createServer()
      .on('error', () => undefined)
      .listen(port, '127.0.0.1'),
  );
  const { child, exited, output } = await runDemo();

  const rows = [...output.matchAll(/^ {2}(\d+) +(\S.*?) {2,}(\S+) +(.*)$/gm)].map(([, , , status, result]) => ({
    status,
    result,
  }));
  expect(output).not.toContain('(expected');
  expect(rows).toHaveLength(34);
  expect(rows.map(({ status }) => status).slice(14)).toEqual([
    '200',
    '200',
    '200',
    '403',
    'cut',
    '200',
    'new_alert',
    'delivered',
    '401',
    '200',
    '429',
    '200',
    '200',
    '403',
    'blocked',
    'None',
    'Critical',
    'approved',
    'critical',
    'excellent',
  ]);
  expect(output).toMatch(/Request blocked by security policy; the model never saw it/);
  expect(output).toMatch(/Request blocked by security policy; the agent never saw it/);
  expect(output).not.toContain('ghp_');

  const key = /^ +KEY='(.*)'$/m.exec(output)?.[1] ?? '';
  const url = /^ +LLM proxy +(\S+)/m.exec(output)?.[1] ?? '';
  expect(url).not.toContain(':8090');
  const bodies = [...output.matchAll(/-d '(\{"model".*\})'$/gm)].map(([, body]) => body ?? '');
  expect(bodies).toHaveLength(3);
  const statuses = bodies.map(async (body) => {
    const headers = { 'content-type': 'application/json', 'x-api-key': key };
    return (await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })).status;
  });
  expect(await Promise.all(statuses)).toEqual([200, 403, 200]);

  const folder = /^(\S+) and goes when it stops/m.exec(output)?.[1] ?? '';
  expect(existsSync(folder)).toBe(true);
  child.kill('SIGINT');
  expect(await exited).toEqual([0, null]);
  expect(existsSync(folder)).toBe(false);
  for (const taker of takers) taker.close();
});
