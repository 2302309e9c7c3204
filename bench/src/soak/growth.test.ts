import { expect, test } from '@jest/globals';
import { judgeGrowth, type Point } from './growth.ts';

const bound = { perHour: 20, rise: 2 };
const seconds = 1_800;

/** A run of half an hour with a hundred requests a second. */
const run = (value: (second: number) => number): Point[] =>
  Array.from({ length: seconds }, (_, second) => ({
    hours: second / 3_600,
    requests: second * 100,
    value: value(second),
  }));

/** What a collector of garbage does to a heap: it climbs for a while and falls. */
const sawtooth = (second: number) => 100 + 30 * ((second % 97) / 97);

test('a start that takes memory once, and the teeth of a collector, are flat', () => {
  const { perHour, isGrowing } = judgeGrowth(
    run((second) => sawtooth(second) + Math.min(second, 500)),
    bound,
  );
  expect(Math.abs(perHour)).toBeLessThan(15);
  expect(isGrowing).toBe(false);
});

test('a leak under the teeth is told by the hour and by the million of requests', () => {
  const growth = judgeGrowth(
    run((second) => sawtooth(second) + second / 100),
    bound,
  );
  expect(growth.isGrowing).toBe(true);
  expect(growth.perHour).toBeGreaterThan(24);
  expect(growth.perHour).toBeLessThan(52);
  expect(growth.perMillionRequests).toBeCloseTo(growth.perHour / 0.36, 3);
});

test('a burst that ends is flat', () => {
  expect(
    judgeGrowth(
      run((second) => (second > 1_000 && second < 1_200 ? 900 : 100)),
      bound,
    ).isGrowing,
  ).toBe(false);
});

test('a run that is too short tells nothing', () => {
  expect(judgeGrowth(run((second) => second / 100).slice(0, 600), bound).isGrowing).toBeUndefined();
  expect(judgeGrowth([], bound)).toMatchObject({ perHour: 0, isGrowing: undefined });
});
