import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { analysePattern } from './analyse-pattern.ts';
import { digitRuns, runAt } from './digit-runs.ts';
import { parseRegex, toSyntax } from './parse-syntax.ts';

const runs = (regex: string): readonly number[] => {
  const bits = digitRuns(toSyntax(parseRegex(regex, ''), ''));
  return Array.from({ length: 32 }, (_, length) => length).filter((length) => ((bits >>> length) & 1) === 1);
};
const from = (first: number): readonly number[] => Array.from({ length: 32 - first }, (_, index) => first + index);

test.each([
  ['\\d{9}(?!\\d)', [9]],
  ['\\d{3}-\\d{2}(?!\\d)', [3]],
  ['(?:\\d{6} \\d{5}|\\d{11})(?![\\w]|[-./]\\d)', [6, 11]],
  ['\\d{3} ?\\d{3}(?!\\d)', [3, 6]],
  ['[2-6]\\d{2,3}x', [3, 4]],
  ['\\d{4}', from(4)],
  ['\\d{2,}(?!\\d)', from(2)],
  ['\\d{2}(?!\\d\\d)', from(2)],
  ['[\\da-f]{2}:', [0, 1, 2]],
  ['\\(?\\d{5}(?!\\d)', [0, 5]],
])('a match of %s begins with runs of so many digits', (regex, expected) => {
  expect(runs(regex)).toEqual(expected);
});

test('no match begins with another run', () => {
  const part = fc.constantFrom(
    '\\d',
    '\\d{2}',
    '\\d{1,3}',
    '[2-6]',
    '[ -]?',
    '-',
    '(?:\\d{2} |\\d{3})',
    '[\\da]',
    '\\b',
    '(?:-\\d)?',
  );
  const end = fc.constantFrom('', '(?!\\d)', '(?![\\w-])', '(?!\\d\\d)', '(?![-]\\d|\\d)', '\\d*', '\\d+(?!\\d)');
  const text = fc.string({ unit: fc.constantFrom('1', '2', '5', '9', ' ', '-', 'a'), maxLength: 24 });
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), end, text, (parts, last, where) => {
      const regex = parts.join('') + last;
      const { pattern } = analysePattern(regex);
      fc.pre(pattern !== undefined);
      const bits = digitRuns(toSyntax(parseRegex(regex, ''), ''));
      for (const { index } of where.matchAll(new RegExp(`(?=${regex})`, 'g')))
        expect(bits & runAt(where, index)).not.toBe(0);
    }),
    { numRuns: 2_000 },
  );
});

test('runs are the same for any order of questions', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(70), fc.nat(2)), { maxLength: 6 }),
      fc.infiniteStream(fc.nat(200)),
      (parts, order) => {
        const text = `x${parts.map(([count, gap]) => '7'.repeat(count) + ' '.repeat(gap)).join('')}.`;
        const length = (at: number): number => Math.min(31, /^\d*/.exec(text.slice(at))?.[0].length ?? 0);
        const places = [
          ...Array.from(order.take(20), (place) => place % text.length),
          ...Array.from(text, (_, at) => at),
        ];
        for (const at of places) expect(runAt(text, at)).toBe(1 << length(at));
      },
    ),
  );
});
