import { expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { answer, startLoopbackPeer } from '../packages/testkit/src/loopback-peer.ts';

/** Asks a registry that answers so, and answers how the check ended and what it printed. */
async function check(status: number, body: object): Promise<readonly [code: number | null, output: string]> {
  await using registry = await startLoopbackPeer((_request, response) => answer(response, status, body));
  const parameters = [join(import.meta.dirname, 'check-advisories.mjs'), '--registry', registry.url];
  const child = spawn(process.execPath, parameters, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(child, 'close');
  return [child.exitCode, output];
}

const advisory = (severity: string) => ({
  id: 7,
  url: 'https://advisories.example/GHSA-aaaa-bbbb-cccc',
  title: 'Takes everything for granted',
  severity,
  vulnerable_versions: '<1000.0.0',
  cwe: [],
  cvss: { score: 7.5, vectorString: null },
});

test('severe advisories about what is installed fail, with what they are about', async () => {
  const [code, output] = await check(200, { ws: [advisory('high')] });
  expect([code, output]).toEqual([1, expect.stringMatching(/^high: ws [\d.]+: Takes everything for granted \(/)]);
});

test('lesser ones pass', async () => {
  expect(await check(200, { ws: [advisory('moderate')] })).toEqual([0, '']);
});

test('a registry without advisories is no failure, and is told', async () => {
  const [code, output] = await check(405, {});
  expect([code, output]).toEqual([0, expect.stringMatching(/^skipped: the registry tells no advisories \(ERR_PNPM_/)]);
});
