import { expect, test } from '@jest/globals';
import { CallSlots } from './limit-calls.ts';

test('each owner has so many calls under way, and another when one has ended', () => {
  const slots = new CallSlots(2);
  expect([slots.take('group:1'), slots.take('group:1'), slots.take('group:1')]).toEqual([true, true, false]);
  expect(slots.take('group:2')).toBe(true);
  slots.free('group:1');
  expect([slots.take('group:1'), slots.take('group:1')]).toEqual([true, false]);
});
