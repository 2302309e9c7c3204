import { expect, test } from '@jest/globals';
import { roundMs, roundPercent, roundShare, roundTo } from './round-to.ts';

test.each([
  [0, 2.5, 3],
  [2, 33.333_333, 33.33],
  [2, 66.666_666, 66.67],
  [3, 0.1 + 0.2, 0.3],
  [1, -1.25, -1.2],
])('%d digits of %d', (digits, value, rounded) => {
  expect(roundTo(digits, value)).toBe(rounded);
});

test('each kind of number has its digits', () => {
  expect([roundShare(1 / 3), roundPercent(200 / 3), roundMs(10 / 3)]).toEqual([0.3333, 66.67, 3.333]);
});
