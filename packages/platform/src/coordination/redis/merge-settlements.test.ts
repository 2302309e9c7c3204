import { expect, test } from '@jest/globals';
import type { Reservation } from '../coordination.ts';
import { mergeSettlements } from './merge-settlements.ts';

const held = (changes: Partial<Reservation> = {}): Reservation => ({
  keys: ['a', 'b'],
  slot: 7,
  amount: 10,
  ...changes,
});

test('what the same accounts held in the same slot is settled at once, and nothing else with it', async () => {
  const sent: unknown[] = [];
  const settle = mergeSettlements(async ({ keys, slot, amount }, spent) => {
    sent.push([keys, slot, amount, spent]);
    return [spent];
  });
  const answers = await Promise.all([
    settle(held(), 3),
    settle(held({ amount: 5 }), 20),
    settle(held({ slot: 8 }), 1),
    settle(held({ keys: ['a'] }), 2),
  ]);
  expect(answers).toEqual([[23], [23], [1], [2]]);
  expect(sent).toEqual([
    [['a', 'b'], 7, 15, 23],
    [['a', 'b'], 8, 10, 1],
    [['a'], 7, 10, 2],
  ]);
  await settle(held(), 4);
  expect(sent.at(-1)).toEqual([['a', 'b'], 7, 10, 4]);
});

test('every caller whose settlement failed is told', async () => {
  const settle = mergeSettlements(() => Promise.reject(new Error('away')));
  const outcomes = await Promise.allSettled([settle(held(), 1), settle(held(), 2)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
