import { expect, test } from '@jest/globals';
import { createEventId } from './event-id.ts';

const format = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('ids of records are UUIDs of version 7 that tell their time, all of them different', () => {
  const before = Date.now();
  const ids = Array.from({ length: 50_000 }, createEventId);
  const after = Date.now();
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(format);
  const timeOf = (id = ''): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  expect(timeOf(ids[0])).toBeGreaterThanOrEqual(before);
  expect(timeOf(ids.at(-1))).toBeLessThanOrEqual(after);
});

test('each is behind the one before', () => {
  const ids = Array.from({ length: 1_000 }, createEventId);
  expect(ids.toSorted()).toEqual(ids);
});
