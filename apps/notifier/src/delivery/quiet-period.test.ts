import { expect, test } from '@jest/globals';
import { createQuietPeriod } from './quiet-period.ts';

const never = new AbortController().signal;

test('waits as long as was asked, and not when nothing was', async () => {
  const period = createQuietPeriod();
  await period.over(never);
  const start = performance.now();
  period.ask(40);
  period.ask(10);
  await period.over(never);
  expect(performance.now() - start).toBeGreaterThanOrEqual(38);
});

test('is never longer than half a minute', async () => {
  const clock = { ms: 0 };
  const period = createQuietPeriod(() => clock.ms);
  period.ask(86_400_000);
  clock.ms = 30_000;
  await expect(period.over(never)).resolves.toBeUndefined();
});

test('ends when the service stops', async () => {
  const stopping = new AbortController();
  const period = createQuietPeriod();
  period.ask(20_000);
  const waiting = period.over(stopping.signal);
  stopping.abort();
  await expect(waiting).resolves.toBeUndefined();
});
