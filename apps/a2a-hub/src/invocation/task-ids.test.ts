import { expect, test } from '@jest/globals';
import { makeId } from './task-ids.ts';

test('no id comes twice, also over the end of what was asked of the system at once', () => {
  const ids = Array.from({ length: 2_000 }, makeId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[\da-f]{32}$/);
  expect(ids).not.toContain('0'.repeat(32));
});
