import { expect, test } from '@jest/globals';
import { renderTimestamp } from './timestamp.ts';

test('writes times as a date does, in whatever order they come', () => {
  const times = [0, 7, 999, 1_000, 1_795_312_799_999, 1_795_312_800_000, 1_795_312_800_010, 42, 4_102_444_800_123];
  for (const time of times) expect(renderTimestamp(time)).toBe(new Date(time).toISOString());
});
