import { expect, test } from '@jest/globals';
import { highestOfDistinct } from './distinct-places.ts';
import { slotOf } from './weights.ts';

const keyOf = (hash: number): number => slotOf(Math.imul(Math.imul(hash, 31), 31), 16);

/** Places with one feature each, and what they weigh. */
const highest = (features: readonly number[], weights: readonly number[], window: number): number =>
  highestOfDistinct(
    Int32Array.from(features.flatMap((feature) => [feature, 0, 0])),
    Int16Array.from(weights),
    features.length,
    window,
    1,
  );

test('what comes again in a window speaks for an attack once, and against one each time', () => {
  expect(highest([1, 1, 2], [5, 5, 3], 3)).toBe(8);
  expect(highest([1, 1, 2], [-5, -5, 3], 3)).toBe(-7);
  expect(highest([1, 2, 1], [5, 3, 5], 2)).toBe(8);
});

test('a long text says no more than its windows do, though features share keys', () => {
  const feature = 1;
  let twin = 2;
  while (keyOf(twin) !== keyOf(feature)) twin += 1;
  // The one that speaks up comes first into each window and leaves while its twin still stands there.
  const round = [feature, twin, 3, 4];
  const features = Array.from({ length: 500 }, () => round).flat();
  const weights = Array.from({ length: 500 }, () => [50, 10, 0, 0]).flat();
  expect(highest(features, weights, 3)).toBeLessThanOrEqual(60);
});
