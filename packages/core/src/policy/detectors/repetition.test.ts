import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { repetition } from './repetition.ts';

/** The same, by the words themselves: the first 4,000 of the first 32,000 characters. */
function shareOf(text: string): number {
  const words = text
    .slice(0, 32_000)
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, 4_000);
  const groups = words.slice(2).map((_, at) => words.slice(at, at + 3).join(' '));
  return words.length < 60 ? 0 : 1 - new Set(groups).size / groups.length;
}

const part = fc.constantFrom(
  'a ',
  'B',
  ' ',
  "don't ",
  'x-1\n',
  '\u00a0',
  'é',
  'İ ',
  '\u0000',
  'the old word ',
  'go '.repeat(40),
);
const text = fc
  .tuple(fc.array(part, { minLength: 20, maxLength: 200 }), fc.nat(20))
  .map(([parts, times]) => parts.join('') + parts.slice(0, 12).join('').repeat(times));

test('is the share of groups of three words that have come before', () => {
  fc.assert(fc.property(text, (chosen) => expect(repetition.score(chosen)).toBe(shareOf(chosen))));
});

test('is as high where it comes to the least that matters, and lower than that elsewhere', () => {
  fc.assert(
    fc.property(text, fc.double({ min: 0, max: 1, noNaN: true }), (chosen, least) => {
      const [exact, score] = [shareOf(chosen), repetition.score(chosen, least)];
      expect(score < least ? 0 : score).toBe(exact < least ? 0 : exact);
    }),
  );
});
