import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { findFreePort } from '@portcullis/testkit/free-port';
import { waitFor } from '@portcullis/testkit/wait-for';
import type { Logger } from '../log/logger.ts';
import { WorkerPool } from './worker-pool.ts';

const script = join(import.meta.dirname, '../../test/hosting/pool-worker.ts');

interface Told {
  readonly pid: number;
}

function createPool(count: number, script: string) {
  const lines: { line: string; in_ms?: number }[] = [];
  const log = { error: (line: string, facts: object) => lines.push({ line, ...facts }) } as unknown as Logger;
  const pids = new Map<number, number>();
  const ended: number[] = [];
  const answers = new Map<number, (message: unknown) => void>();
  const pool = new WorkerPool({
    count,
    script,
    log,
    killAfterMs: 500,
    onMessage(worker, message, answer) {
      pids.set(worker, (message as Told).pid);
      answers.set(worker, answer);
    },
    onEnd: (worker) => void ended.push(worker),
  });
  return { pool, lines, pids, ended, tell: (worker: number, message: string) => answers.get(worker)?.({ message }) };
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('workers share a port, are started again when they end, later each time, and end with the pool', async () => {
  const port = await findFreePort();
  const { pool, lines, pids, ended, tell } = createPool(2, script);
  await pool.start();
  expect(pool.missing).toEqual([]);
  for (const worker of [1, 2]) tell(worker, `listen ${port}`);
  const served = new Set<string>();
  await waitFor(
    async () => {
      const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } });
      served.add(await response.text());
      return served.size === 2;
    },
    { what: 'an answer of each' },
  );
  expect(served).toEqual(new Set([...pids.values()].map(String)));

  for (const pauseMs of [100, 200]) {
    const pid = pids.get(1);
    tell(1, 'die');
    await waitFor(() => pids.get(1) !== pid && pool.missing.length === 0, { what: 'another worker' });
    expect(lines.at(-1)).toMatchObject({ line: 'A worker ended and is started again', worker: 1, in_ms: pauseMs });
  }
  expect(ended).toEqual([1, 1]);

  const last = [...pids.values()];
  // It does not hear the request to end.
  tell(2, 'hang');
  await pool[Symbol.asyncDispose]();
  expect(last.filter(isAlive)).toEqual([]);
  expect(lines).toHaveLength(2);
});

test('a worker that ends before it serves ends the start', async () => {
  const { pool } = createPool(2, join(import.meta.dirname, '../../test/hosting/ending-worker.ts'));
  await expect(pool.start()).rejects.toThrow('ended (1) before all were ready');
  await pool[Symbol.asyncDispose]();
});
