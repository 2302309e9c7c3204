import { expect, test } from '@jest/globals';
import { countProperty, impossibleCount } from '@portcullis/core/json/json-value';
import { isPossible } from './is-possible.ts';
import { createUsage } from './usage.ts';

const size = { requestBytes: 2_000, responseBytes: 500 };
const told = (input: unknown, output: unknown) =>
  createUsage({
    model: 'm',
    input: countProperty({ input }, 'input'),
    output: countProperty({ output }, 'output'),
  });

test.each([1e308, -1, 0.5, 2 ** 60, Infinity, 3_000_000_000])('%p tokens of a small exchange cannot be', (figure) => {
  expect(isPossible(told(figure, 10), size)).toBe(false);
  expect(isPossible(told(10, figure), size)).toBe(false);
  expect(Number.isSafeInteger(told(figure, figure).totalTokens)).toBe(true);
});

test.each([
  [0, 0],
  [900, 300],
  [1_000_000, 128_000],
])('%p and %p tokens can be', (input, output) => {
  expect(isPossible(told(input, output), size)).toBe(true);
});

test('what is no number is no count', () => {
  for (const value of ['7', null, {}, [1], undefined]) expect(countProperty({ value }, 'value')).toBe(0);
  expect(countProperty({ value: -7 }, 'value')).toBe(impossibleCount);
});

test('the name of a model that is told is cut', () => {
  expect(createUsage({ model: 'm'.repeat(1_000_000), input: 1, output: 1 }).model).toHaveLength(200);
});
