import { expect, test } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { batchPerTick } from './batch-per-tick.ts';

test('what came up in a turn is done at its end, in its order', async () => {
  const done: string[] = [];
  for (const name of ['a', 'b', 'c']) batchPerTick(() => done.push(name));
  await Promise.resolve();
  expect(done).toEqual([]);
  await setImmediate();
  expect(done).toEqual(['a', 'b', 'c']);
});

test('what comes up meanwhile waits for the end of the next turn', async () => {
  const done: string[] = [];
  batchPerTick(() => {
    done.push('first');
    batchPerTick(() => done.push('second'));
  });
  await setImmediate();
  expect(done).toEqual(['first']);
  await setImmediate();
  expect(done).toEqual(['first', 'second']);
});

test('steps that follow one another are taken together, too', async () => {
  const done: string[] = [];
  const arrive = (): Promise<void> => new Promise((resolve) => batchPerTick(resolve));
  const walk = async (name: string): Promise<void> => {
    await arrive();
    done.push(`${name}1`);
    await Promise.resolve();
    done.push(`${name}2`);
  };
  await Promise.all(['a', 'b', 'c'].map(walk));
  expect(done).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2']);
});
