import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { parseSchedstat, readUsage } from './process-usage.ts';

test('the run time is the first figure', () => {
  expect(parseSchedstat('799146468 8424369 40\n')).toBe(799_146.468);
  expect(parseSchedstat('')).toBe(0);
});

test('the tree of this process holds its children, and what they use is counted', async () => {
  const busy =
    "const until = Date.now() + 100; while (Date.now() < until); console.log('done'); setInterval(() => {}, 1e3)";
  const before = readUsage(process.pid);
  const child = spawn(process.execPath, ['-e', busy], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await once(child.stdout, 'data');
    const own = readUsage(child.pid ?? 0);
    const after = readUsage(process.pid);
    expect(own.cpuMicros).toBeGreaterThan(20_000);
    expect(own.mainThreadMicros).toBeLessThanOrEqual(own.cpuMicros);
    expect(after.cpuMicros - before.cpuMicros).toBeGreaterThanOrEqual(own.cpuMicros);
    expect(after.rssBytes).toBeGreaterThan(own.rssBytes);
  } finally {
    child.kill('SIGKILL');
  }
});

test('a process that is gone has used nothing', () => {
  expect(readUsage(2 ** 30)).toEqual({ cpuMicros: 0, mainThreadMicros: 0, threadMicros: {}, rssBytes: 0 });
});
