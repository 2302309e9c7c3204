import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@portcullis/testkit/wait-for';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startChild } from './child.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bench-child-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const start = (script: string) =>
  startChild({
    name: 'a child',
    command: process.execPath,
    parameters: ['-e', script],
    core: undefined,
    folder,
    messages: true,
  });

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

test('disposing ends the child and what it started, also when they do not want to', async () => {
  const stubborn = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1e3);";
  const script = `
    const { spawn } = require('node:child_process');
    const grandchild = spawn(process.execPath, ['-e', ${JSON.stringify(`${stubborn} process.send('up')`)}], { stdio: [0, 1, 2, 'ipc'] });
    grandchild.once('message', () => process.send(grandchild.pid));`;
  const child = await start(script);
  const grandchild = Number(await child.nextMessage(AbortSignal.timeout(60_000)));
  expect(isAlive(grandchild)).toBe(true);
  await child[Symbol.asyncDispose]();
  expect(child.hasEnded()).toBe(true);
  await waitFor(() => !isAlive(grandchild), { what: 'the end of the grandchild' });
});

test('waiting for a child that has ended tells what it said last', async () => {
  await using child = await start("console.error('no such thing'); process.exitCode = 3; process.disconnect()");
  await expect(child.nextMessage(AbortSignal.timeout(60_000))).rejects.toThrow('a child ended: no such thing');
  await expect(child.nextMessage(AbortSignal.timeout(60_000))).rejects.toThrow('a child ended: no such thing');
});

test('a program that is not there is a failure to start', async () => {
  const options = { name: 'nobody', command: join(folder, 'nobody'), parameters: [], core: undefined, folder };
  await expect(startChild(options)).rejects.toThrow('ENOENT');
});
