import { expect, test } from '@jest/globals';
import type { PolicyRule } from '@portcullis/contracts/policy-file';
import type { PatternUse } from '../plan/compiled-pattern.ts';
import { MatchTerms } from '../plan/match-terms.ts';
import type { Policy } from '../policy.ts';
import { block } from './blocks.ts';
import { FindingLog } from './finding-log.ts';
import type { Reading } from './reading.ts';

const signUse = (window: number): PatternUse => {
  const signals = [{ name: 'sign', weight: 1, patterns: ['sign'] }];
  const rule = { id: 'signs', name: 'Signs', severity: 'High', action: 'block', signals, threshold: 1, window };
  const terms = new MatchTerms({ name: 'p', rules: [] } as unknown as Policy, rule as unknown as PolicyRule);
  return { index: 0, terms, signal: 0, rules: [] };
};

const readingOf = (text: string): Reading => ({ view: 'plain', text, exact: true, depth: 0, locate: undefined });

const text = 'sign '.repeat(block);

function placesOf(window: number, places: readonly (readonly [reading: Reading, at: number])[]): readonly number[] {
  const log = new FindingLog(1);
  log.open(text.length);
  for (const [reading, start] of places) {
    if (log.reading !== reading) log.standIn(reading);
    log.add(signUse(window), { text: reading.text, start, end: start + 4, base: 0 }, {});
  }
  return log.signals.map(({ at }) => at);
}

const reading = readingOf(text);

test('a sign of a long text counts once in 64 characters', () => {
  expect(
    placesOf(
      2_000,
      [0, 5, 60, 64, 70, 200].map((at) => [reading, at]),
    ),
  ).toEqual([0, 64, 200]);
});

test('signs that must stand close together count more often', () => {
  expect(
    placesOf(
      40,
      [0, 5, 10, 15, 20].map((at) => [reading, at]),
    ),
  ).toEqual([0, 10, 20]);
});

test('a sign in another reading is beside none of those before, also where that reading itself is not read', () => {
  const other = readingOf(text);
  expect(
    placesOf(2_000, [
      [reading, 100],
      [other, 100],
    ]),
  ).toEqual([100, 100]);
});
