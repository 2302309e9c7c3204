import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { costOf, flatRate, type ModelPrice, type PricedTokens } from './model-price.ts';

const price: ModelPrice = {
  input: flatRate(3),
  cachedInput: flatRate(0.3),
  cacheWrite: flatRate(3.75),
  longCacheWrite: flatRate(6),
  output: flatRate(15),
};
const tokens = (counts: Partial<PricedTokens>): PricedTokens => ({
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  longCacheWriteTokens: 0,
  outputTokens: 0,
  ...counts,
});

test.each([
  ['input and output', { inputTokens: 1_000, outputTokens: 100 }, 3_000 + 1_500],
  ['cached input', { inputTokens: 1_000, cachedInputTokens: 900 }, 300 + 270],
  ['input written to a cache', { inputTokens: 1_000, cacheWriteTokens: 800 }, 600 + 3_000],
  [
    'input written to two caches',
    { inputTokens: 1_000, cacheWriteTokens: 1_000, longCacheWriteTokens: 400 },
    2_250 + 2_400,
  ],
  ['nothing', {}, 0],
] as const)('%s', (_, counts, cost) => {
  expect(costOf(price, tokens(counts))).toBe(cost);
});

test('a rate that is missing is that of other input', () => {
  const plain = { ...price, cachedInput: undefined, cacheWrite: undefined, longCacheWrite: undefined };
  const counts = { inputTokens: 1_000, cachedInputTokens: 300, cacheWriteTokens: 300, longCacheWriteTokens: 100 };
  expect(costOf(plain, tokens(counts))).toBe(3_000);
});

test('a long request is charged at the rate of its tier as a whole', () => {
  const tiered = { ...price, input: { base: 3, tiers: [{ above: 200_000, rate: 6 }] } };
  expect(costOf(tiered, tokens({ inputTokens: 200_000 }))).toBe(600_000);
  expect(costOf(tiered, tokens({ inputTokens: 200_001 }))).toBe(1_200_006);
});

test('parts of a micro-USD are rounded up, what sums of rates are off by is not', () => {
  expect(costOf({ ...price, input: flatRate(0.02) }, tokens({ inputTokens: 1 }))).toBe(1);
  expect(costOf({ ...price, input: flatRate(0.15) }, tokens({ inputTokens: 1_000 }))).toBe(150);
});

test('more tokens never cost less', () => {
  const counts = fc.nat({ max: 2_000_000 });
  fc.assert(
    fc.property(counts, counts, counts, (inputTokens, outputTokens, more) => {
      const less = costOf(price, tokens({ inputTokens, outputTokens }));
      expect(costOf(price, tokens({ inputTokens: inputTokens + more, outputTokens }))).toBeGreaterThanOrEqual(less);
    }),
  );
});
