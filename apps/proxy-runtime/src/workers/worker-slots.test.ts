import { expect, test } from '@jest/globals';
import { WorkerSlots } from './worker-slots.ts';

test('workers share the places of a proxy, and one that ends gives back what it had', () => {
  const slots = new WorkerSlots();
  expect([slots.take(1, 7, 3), slots.take(1, 7, 3), slots.take(2, 7, 3), slots.take(2, 7, 3)]).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect(slots.take(2, 8, 1)).toBe(true);
  slots.freeAll(1);
  slots.free(1, 7);
  expect([slots.take(2, 7, 3), slots.take(2, 7, 3), slots.take(2, 7, 3)]).toEqual([true, true, false]);
  slots.free(2, 7);
  expect(slots.take(1, 7, 3)).toBe(true);
});
