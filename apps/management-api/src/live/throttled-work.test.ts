import { expect, test } from '@jest/globals';
import { waitFor } from '@portcullis/testkit/wait-for';
import { setTimeout as pause } from 'node:timers/promises';
import { createThrottledWork } from './throttled-work.ts';

test('work that is asked for without end rests longer than it works, and is done once more for the last who asked', async () => {
  const counts = { asked: 0, seen: 0, done: 0, busyMs: 0 };
  const work = async (): Promise<void> => {
    const startedAt = performance.now();
    counts.seen = counts.asked;
    await pause(30);
    counts.busyMs += performance.now() - startedAt;
    counts.done += 1;
  };
  await using throttled = createThrottledWork(work, { freeMs: 0, restFactor: 4, maxRestMs: 10_000 });
  const startedAt = performance.now();
  while (counts.done < 5) {
    counts.asked += 1;
    throttled.schedule();
    await pause(1);
  }
  expect(counts.busyMs).toBeLessThan((performance.now() - startedAt) / 3);
  await waitFor(() => counts.seen === counts.asked, { what: 'the last who asked' });
});

test('its end waits for what is under way, and for no rest', async () => {
  let done = 0;
  const throttled = createThrottledWork(
    async () => {
      await pause(20);
      done += 1;
    },
    { freeMs: 0, restFactor: 1_000, maxRestMs: 60_000 },
  );
  throttled.schedule();
  await pause(5);
  await throttled[Symbol.asyncDispose]();
  throttled.schedule();
  expect(done).toBe(1);
});

test('work that is short follows each that asks', async () => {
  let done = 0;
  const work = async (): Promise<void> => {
    done += 1;
  };
  await using throttled = createThrottledWork(work, { freeMs: 1_000, restFactor: 1_000, maxRestMs: 60_000 });
  for (let asked = 1; asked <= 5; asked += 1) {
    throttled.schedule();
    await waitFor(() => done === asked, { what: 'the work', timeoutMs: 5_000 });
  }
  expect(done).toBe(5);
});
