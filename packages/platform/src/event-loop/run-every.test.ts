import { expect, test } from '@jest/globals';
import { waitFor } from '@portcullis/testkit/wait-for';
import { runEvery } from './run-every.ts';

const unexpected = (error: unknown): never => {
  throw error;
};

test('works now, again and again, and no more once it is disposed', async () => {
  let runs = 0;
  const work = async () => void (runs += 1);
  const repeated = runEvery(work, { intervalMs: 1, onFault: unexpected });
  expect(runs).toBe(1);
  await waitFor(() => runs > 2, { what: 'a third run' });
  await repeated[Symbol.asyncDispose]();
  const before = runs;
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(runs).toBe(before);
});

test('begins nothing twice, and its end waits for the run in hand', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let begun = 0;
  let ended = 0;
  const work = async () => {
    begun += 1;
    await promise;
    ended += 1;
  };
  const repeated = runEvery(work, { intervalMs: 1, onFault: unexpected });
  await new Promise((passed) => setTimeout(passed, 10));
  expect(begun).toBe(1);
  const disposed = repeated[Symbol.asyncDispose]();
  resolve();
  await disposed;
  expect(ended).toBe(1);
});

test('tells of what failed and tries again, the first time later where that is wanted', async () => {
  const faults: unknown[] = [];
  let runs = 0;
  const work = async () => {
    runs += 1;
    if (runs === 1) throw new Error('away');
  };
  await using _repeated = runEvery(work, { intervalMs: 1, onFault: (error) => faults.push(error), later: true });
  expect(runs).toBe(0);
  await waitFor(() => runs > 1, { what: 'a second run' });
  expect(faults).toEqual([new Error('away')]);
});

test('works at once when it is told to, but not once it is disposed', async () => {
  let runs = 0;
  const work = async () => void (runs += 1);
  const repeated = runEvery(work, { intervalMs: 60_000, onFault: unexpected, later: true });
  expect(runs).toBe(0);
  repeated.runNow();
  expect(runs).toBe(1);
  await repeated[Symbol.asyncDispose]();
  repeated.runNow();
  expect(runs).toBe(1);
});
