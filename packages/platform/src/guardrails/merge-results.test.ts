import { expect, test } from '@jest/globals';
import { harmless } from './adapters/guardrail-adapter.ts';
import { mergeResults } from './merge-results.ts';

const tokensOf = (...figures: readonly (number | null)[]) =>
  mergeResults(figures.map((tokens) => ({ ...harmless, tokens }))).tokens;

test.each([1e308, 2 ** 60, -5, 2.5, Number.NaN])('%p tokens are no figure', (figure) => {
  expect(tokensOf(figure)).toBeNull();
  expect(tokensOf(figure, 7)).toBe(7);
});

test('tokens of several answers are added', () => {
  expect([tokensOf(3, 4), tokensOf(null), tokensOf(null, 4)]).toEqual([7, null, 4]);
});

test('what a provider says is bounded', () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `${index}${'x'.repeat(10_000)}`);
  const scores = Object.fromEntries(names.map((name) => [name, 1]));
  const reading = { ...harmless, flagged: true, categories: names, scores, rationale: 'r'.repeat(100_000) };
  expect(JSON.stringify(mergeResults([reading])).length).toBeLessThan(20_000);
});
