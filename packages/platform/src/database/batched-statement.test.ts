import { expect, test } from '@jest/globals';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { BatchedStatement } from './batched-statement.ts';

const doubled = (items: readonly number[]): number[] => items.map((item) => item * 2);

test('what is asked in one turn is one statement, and what comes meanwhile is the next', async () => {
  const asked: (readonly number[])[] = [];
  const gate = Promise.withResolvers<void>();
  const statement = new BatchedStatement<number, number>(async (items) => {
    asked.push(items);
    if (asked.length === 1) await gate.promise;
    return doubled(items);
  }, 3);
  const first = [1, 2].map((item) => statement.ask(item));
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  const later = [3, 4, 5, 6].map((item) => statement.ask(item));
  gate.resolve();
  expect(await Promise.all([...first, ...later])).toEqual([2, 4, 6, 8, 10, 12]);
  expect(asked).toEqual([[1, 2], [3, 4, 5], [6]]);
  expect(await statement.ask(7)).toBe(14);
});

test('one that is refused takes no other with it', async () => {
  const statement = new BatchedStatement<number, number>(async (items) => {
    if (items.includes(2)) throw new Error('refused');
    return doubled(items);
  });
  const outcomes = await Promise.allSettled([1, 2, 3].map((item) => statement.ask(item)));
  expect(outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : String(outcome.reason)))).toEqual([
    2,
    'Error: refused',
    6,
  ]);
});

test('a database that is away is asked once for all', async () => {
  let asked = 0;
  const statement = new BatchedStatement<number, number>(async () => {
    asked += 1;
    throw new DatabaseUnavailable(new Error('away'));
  });
  const outcomes = await Promise.allSettled([1, 2, 3].map((item) => statement.ask(item)));
  expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
  expect(asked).toBe(1);
});
