import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { analysePattern } from './analyse-pattern.ts';

/** Longest step of the event loop that a pattern may be the reason of. */
const maxStepMs = 50;

const repeatTo = (part: string, length: number, tail = 'zqabc') =>
  part.repeat(Math.floor((length - tail.length) / part.length)) + tail;
const many = (count: number, part: (at: number) => string) => Array.from({ length: count }, (_, at) => part(at));
const hanzi = (at: number) => String.fromCharCode(0x4e00 + at);
const nest = (open: string, inner: string, close: string, depth: number) =>
  open.repeat(depth) + inner + close.repeat(depth);

const hostile: readonly (readonly [name: string, source: string])[] = [
  ['optional characters before a text', `${'[a-z]?'.repeat(90)}zqabc`],
  ['optional characters, as long as can be', repeatTo('[a-z]?', 10_000)],
  ['lazy optional characters', repeatTo('[a-z]{0,3}?', 2_000)],
  ['empty alternatives', repeatTo('(?:a|b|)', 2_000)],
  ['optional groups', repeatTo('(?:[a-z]?[a-z]?)?', 2_000)],
  ['optional parts between required ones', repeatTo('[a-z]?[a-z]?[a-z]?[a-z]?[a-z]?[a-z]', 2_000)],
  ['as many alternatives as can be', `(?:${many(990, hanzi).join('|')})`],
  ['alternatives that are the same', `(?:${many(900, () => '.').join('|')})abc`],
  ['classes in any case', many(180, (at) => `[${String.fromCharCode(0x100 + at)}-\uffff]`).join('')],
  ['properties', repeatTo('\\p{L}', 2_000)],
  [
    'many properties',
    ['L', 'N', 'P', 'S', 'Z', 'M', 'Lu', 'Ll', 'Lo', 'Nd', 'Sc', 'Sm', 'Pd', 'Ps', 'Pe', 'Cf']
      .concat(['Script=Latin', 'Script=Greek', 'Script=Han', 'Script=Arabic', 'Script=Thai', 'Alphabetic', 'Emoji'])
      .map((name) => `\\p{${name}}`)
      .join(''),
  ],
  ['classes behind a word boundary', `\\b${'\\p{L}'.repeat(7)}zqabc`],
  ['counted classes behind a boundary', '\\B(?:\\p{L}{3}){3}zqabc'],
  ['nested repetitions', nest('(?:', 'a?b{1,3}', '){1,3}', 49)],
  ['nested open repetitions', nest('(?:', 'a', '+)+', 49)],
  ['nested alternatives', nest('(?:a|(?:b|', 'x', '))', 24)],
  ['lookaheads', repeatTo('(?=[a-z]{0,9}b)', 2_000)],
  ['lookbehinds', repeatTo('(?<=[a-z]{0,9}b)', 2_000)],
  ['groups that are counted', repeatTo('(?:abc|abd){1,900}', 2_000)],
];

const cpuNow = () => process.threadCpuUsage().user / 1_000;

/** CPU time of each thing that happens at once: the analysis, and first runs on texts of both widths, which compile. */
function* stepsOf(source: string, flags: string): Generator<number> {
  let before = cpuNow();
  const { pattern } = analysePattern({ regex: source, flags });
  yield cpuNow() - before;
  if (pattern === undefined) return;
  const regex = new RegExp(pattern.source, `${pattern.flags}y`);
  for (const text of ['a', 'a', '\u4e00', '\u4e00']) {
    before = cpuNow();
    regex.test(text);
    yield cpuNow() - before;
  }
}

/** The longest step; the least of three tries, since others run here too. */
const cpuMs = (source: string, flags: string): number =>
  Math.min(...['', 'y', 'yy'].map((unseen) => Math.max(...stepsOf(source + unseen, flags))));

const atoms = ['a', '0', '_', '[a-z]', '[^a]', '\\d', '\\w', '\\s', '.', '\\p{L}', '\\b', '[\\p{N}x]', 'é', '(?=a?)'];
const quantifiers = ['', '?', '??', '*', '+', '{0,2}', '{1,3}', '{0,3}?', '{3}', '{4,9}', '{2,900}', '{5,}'];

/** Patterns of a few repeated pieces, which is how the costly ones look. */
const patterns = fc.letrec<{ piece: string; group: string; pattern: string }>((tie) => ({
  piece: fc
    .tuple(fc.oneof({ depthSize: 'small' }, fc.constantFrom(...atoms), tie('group')), fc.constantFrom(...quantifiers))
    .map(([atom, quantifier]) => (/^\\b|^\(\?=/.test(atom) ? atom : atom + quantifier)),
  group: fc
    .array(fc.array(tie('piece'), { maxLength: 4 }), { minLength: 1, maxLength: 3 })
    .map((branches) => `(?:${branches.map((branch) => branch.join('')).join('|')})`),
  pattern: fc
    .array(fc.tuple(tie('piece'), fc.integer({ min: 1, max: 60 })), { minLength: 1, maxLength: 4 })
    .map((pieces) => `${pieces.map(([piece, times]) => piece.repeat(times)).join('')}zqabc`.slice(0, 10_000)),
})).pattern;

describe('no pattern holds up the event loop', () => {
  analysePattern({ regex: 'warm \\p{L}\\p{N}', flags: 'iu' });

  test.each(hostile)('%s', (_, source) => {
    for (const flags of ['', 'i', 'u', 'iu']) expect(cpuMs(source, flags)).toBeLessThan(maxStepMs);
  });

  test('put together at random', () => {
    fc.assert(
      fc.property(patterns, fc.constantFrom('', 'i', 'u', 'iu'), (source, flags) => cpuMs(source, flags) < maxStepMs),
      // The same patterns each time: what a slow machine takes longer for is no finding.
      { numRuns: 300, seed: 20_261_122 },
    );
  });

  test.each([
    `(?:${many(120, (at) => `word${at}`).join('|')})`,
    '(?:please )?(?:kindly )?(?:now )?(?:just )?(?:all )?(?:your )?(?:old )?(?:rules )?forget',
    '[\\p{L}\\p{N}_-]{3,40}@example',
    '\\b\\p{Lu}\\p{Ll}+ \\p{Lu}\\p{Ll}{2,20}\\b, born',
  ])('leaves what authors write: %s', (source) => {
    expect(analysePattern({ regex: source, flags: 'iu' }).reason).toBeUndefined();
  });
});
