import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fingerprintOf, mostWordsIn, signsOf, textSign, unitsOf } from './text-units.ts';
import { foldTable } from './fold-table.ts';

/** Signs by single units. */
const bySingle = { percent: /%/, backslash: /\\/, ampersand: /&/, dash: /-/, digit: /[0-9@$]/ } as const;

/** What is said of a text with such another sign, as an expression finds it; `spaced` and `spelled` say more than they have to. */
const surely: Readonly<Record<Exclude<keyof typeof textSign, keyof typeof bySingle | 'folds'>, RegExp>> = {
  run: /[\w+/-]{16}/,
  spaced: /[a-z0-9]([ .-])[a-z0-9]\1[a-z0-9]\1(?:[^ .-]\1{1,3}){4}[^ .-]/i,
  spelled: /(?<![0-9a-f])[0-9a-f]{2}(?:[^0-9a-f][0-9a-f]{2}){3}(?![0-9a-f])|[01]{8}/i,
  figure: /\d{3}/,
  longWord: /\S{40}/,
  wide: /[^\0-\u00FF]/,
};
const exact = ['figure', 'wide'] as const;

const holds = (text: string, name: keyof typeof textSign): boolean => (signsOf(text) & textSign[name]) !== 0;
const namesIn = (text: string): readonly string[] => Object.keys(surely).filter((name) => holds(text, name as 'run'));

const letters = fc.constantFrom(
  ...'abcdefXYZ0123456789 .-+/_,\n\t\0\u00E9\u00A0\u0430\u3042\u8000\uD800\uFFFF'.split(''),
);
const part = fc.oneof(
  fc.string({ unit: letters, maxLength: 40 }),
  fc
    .tuple(fc.constantFrom('a ', 'b.', 'x  ', '- ', '69 ', '3', 'Ab', '01', ' '), fc.nat(50))
    .map(([text, times]) => text.repeat(times)),
);
const texts = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));

test('a text has the sign of what it holds, wherever that stands', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const certain = Object.entries(surely).flatMap(([name, pattern]) => (pattern.test(text) ? [name] : []));
      expect(namesIn(text)).toEqual(expect.arrayContaining(certain));
      for (const name of exact) expect(holds(text, name)).toBe(surely[name].test(text));
    }),
    { numRuns: 2_000 },
  );
});

test('a text has the signs of its single units, and no others of them', () => {
  const { folds } = foldTable();
  const unit = fc.oneof(fc.nat(0x7f), fc.nat(0xffff)).map((code) => String.fromCharCode(code));
  const mostlyPlain = fc.array(
    fc.oneof({ weight: 9, arbitrary: fc.constantFrom('a', ' ', '\u2019', '\u3042') }, unit),
    {
      maxLength: 120,
    },
  );
  fc.assert(
    fc.property(mostlyPlain, (units) => {
      const text = units.join('');
      const found = Object.keys(bySingle).filter((name) => holds(text, name as keyof typeof bySingle));
      expect(found).toEqual(Object.entries(bySingle).flatMap(([name, pattern]) => (pattern.test(text) ? [name] : [])));
      expect(holds(text, 'folds')).toBe(units.some((char) => folds[char.charCodeAt(0)] === 1));
    }),
    { numRuns: 2_000 },
  );
});

test('ordinary text has no sign of anything encoded, and what is one short of a sign has none', () => {
  const ordinary =
    'The kitchen door is a bit stuck, so I asked a friend - twice, in 12 days - to help. "Well," she said.\n'.repeat(9);
  expect(namesIn(ordinary)).toEqual([]);
  for (let before = 0; before < 70; before += 1) {
    const start = ' '.repeat(before);
    expect(namesIn(`${start}${'a'.repeat(15)} ${'b'.repeat(15)}`)).toEqual([]);
    expect(namesIn(`${start}${'a'.repeat(16)}`)).toEqual(['run']);
    expect(namesIn(`${start}${'a,'.repeat(19)}a`)).not.toContain('longWord');
    expect(namesIn(`${start}${'a,'.repeat(20)}`)).toContain('longWord');
    expect(namesIn(`${start}69 67 6e`)).toEqual([]);
    expect(namesIn(`${start}69 67 6e 6f`)).toEqual(['spelled']);
    expect(namesIn(`${start}i g n o r`)).toEqual([]);
    expect(namesIn(`${start}i g n o r e a l`)).toEqual(['spaced']);
  }
});

test('a text that is too long for one piece is read in several', () => {
  const words = 'some words '.repeat(12_000);
  expect(namesIn(words)).toEqual([]);
  for (const place of [65_520, 65_536, 131_072 - 12, words.length]) {
    const text = `${words.slice(0, place)} ${'aB'.repeat(8)} ${words.slice(place)}`;
    expect(namesIn(text)).toEqual(['run']);
    expect(unitsOf(text).subarray(place + 1, place + 4)).toEqual(Uint16Array.of(0x61, 0x42, 0x61));
  }
});

test('texts that differ in one place have different fingerprints', () => {
  const prints = new Set<number>();
  const text = 'a'.repeat(200);
  for (let at = 0; at < 200; at += 1) {
    for (const unit of ['b', '\u00E9', '\u3042'])
      prints.add(fingerprintOf(text.slice(0, at) + unit + text.slice(at + 1)));
  }
  for (let length = 0; length < 200; length += 1) prints.add(fingerprintOf(text.slice(length)));
  expect(prints.size).toBe(800);
  expect(fingerprintOf(text)).toBe(fingerprintOf('a'.repeat(200)));
});

test('tells how many words a text of ASCII has, and of others no fewer', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const words = text.split(/\s+/).filter((word) => word !== '').length;
      const isAscii = !/[^\0-\u007F]/.test(text);
      expect(mostWordsIn(text)).toBeGreaterThanOrEqual(words);
      expect(isAscii ? mostWordsIn(text) : words).toBe(words);
    }),
    { numRuns: 2_000 },
  );
  for (const times of [1, 32_768, 32_769, 100_000]) expect(mostWordsIn('a '.repeat(times))).toBe(times);
  for (let length = 1; length < 100; length += 1) expect(mostWordsIn('a'.repeat(length))).toBe(1);
});
