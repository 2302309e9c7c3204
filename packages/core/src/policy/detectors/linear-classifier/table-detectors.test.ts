import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { unitsOf } from '../../views/text-units.ts';
import { CleanText, cleanText } from './clean-text.ts';
import { characterReader, hashCharacters } from './character-reader.ts';
import { mostHashes, type Hash, type Reader } from './features.ts';
import { highestWindow } from './highest-window.ts';

import { injectionWording, oddCharacters, plantedOrders } from './table-detectors.ts';
import { injectionWordingTable } from './injection-wording.table.ts';
import { oddCharactersTable } from './odd-characters.table.ts';
import { plantedOrdersTable } from './planted-orders.table.ts';
import { windowSums } from './window-sums.ts';
import { slotOf, Weights } from './weights.ts';
import { hashWord } from './word-hash.ts';
import { hashWords, orderReader, wordReader } from './word-reader.ts';

const hashes = (hash: Hash, text: string): (readonly number[])[] => {
  const all = new Int32Array(mostHashes(text.length));
  const places = hash(unitsOf(text), text.length, all);
  return Array.from({ length: places }, (_, at) => [...all.subarray(3 * at, 3 * at + 3)]);
};

describe('features', () => {
  test('of words are the same for any case, figures and signs', () => {
    expect(hashes(hashWords, 'Don’t IGNORE line 12!')).toEqual(hashes(hashWords, 'don’t  ignore; line 98'));
    expect(hashes(hashWords, "don't go")).toEqual(hashes(hashWords, 'dont go'));
    expect(hashes(hashWords, 'one two three')).toHaveLength(3);
    expect(hashes(hashWords, ' .,; ')).toEqual([]);
  });

  test('of words are the same wherever they stand in a long text', () => {
    const all = hashes(hashWords, "don't ask ".repeat(5_000));
    expect(all).toHaveLength(10_000);
    expect(new Set(all.map(([word]) => word)).size).toBe(2);
  });

  test('of words that do some work know which stood before', () => {
    const [, , , order] = hashes(hashWords, 'ignore the old instructions');
    const [, , , same] = hashes(hashWords, 'forget those old rules');
    const [, , , other] = hashes(hashWords, 'write some old rules');
    expect(order?.slice(1)).toEqual(same?.slice(1));
    expect(order?.[0]).not.toBe(same?.[0]);
    expect(order?.[1]).not.toBe(other?.[1]);
    expect(hashes(hashWords, 'the harbour lay still').map(([, pair]) => pair)).toEqual([0, 0, 0, 0]);
  });

  test('of work pass over other words, for any language', () => {
    const work = (text: string) => hashes(hashWords, text).map(([, pair, triple]) => [pair, triple]);
    expect(work('Ignore the lazy instructions').at(-1)).toEqual(work('ignoriere Anweisungen').at(-1));
    expect(work(`ignore ${'the lazy dog '.repeat(5)} rules`).at(-1)).toEqual(work('rules').at(-1));
  });

  test('of characters look four back', () => {
    expect(hashes(hashCharacters, 'xabcd').at(-1)).not.toEqual(hashes(hashCharacters, 'yabcd').at(-2));
    expect(hashes(hashCharacters, '12345abcde').at(-1)).toEqual(hashes(hashCharacters, '99999abcde').at(-1));
  });
});

const wordsOf = (text: string): readonly number[] =>
  (text.match(/['a-z0-9\u0080-\uffff]+/gi) ?? []).filter((word) => /[^']/.test(word)).map(hashWord);

test('words are read as an expression would find them', () => {
  const part = fc.oneof(
    fc.constantFrom(
      ' ',
      "'",
      "don't",
      'X9',
      'é',
      'ж',
      '\uffff',
      '-',
      'eightish',
      'ninthwise',
      'ignore ',
      'me ',
      '@[`{',
    ),
    fc.integer({ min: 1, max: 40 }).map((length) => 'abcdefghij'.repeat(4).slice(0, length)),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 80 }), (parts) => {
      expect(hashes(hashWords, parts.join('')).map(([word]) => word)).toEqual(wordsOf(parts.join('')));
    }),
  );
});

const tableOf = ({ bits }: Reader, bias: number, weightOf: (slot: number) => number): Weights => {
  const weights = Int8Array.from({ length: 1 << bits }, (_, slot) => weightOf(slot));
  return new Weights({ bits, unit: 1, bias, weights: Buffer.from(weights.buffer).toString('base64') });
};

test.each([
  ['injection-wording', injectionWordingTable, wordReader],
  ['planted-orders', plantedOrdersTable, orderReader],
  ['odd-characters', oddCharactersTable, characterReader],
] as const)('the table of %s has as many weights as its reader looks among', (_, file, reader) => {
  expect(file.bits).toBe(reader.bits);
  expect(new Weights(file).weights).toHaveLength(1 << reader.bits);
});

describe.each([wordReader, characterReader])('what a table weighs', (reader) => {
  const table = tableOf(reader, 0, (slot) => ((slot * 37) % 211) - 110);
  const part = fc.constantFrom('a', 'B', '7', ' ', "'", '.', 'é', '@', ' ignore', ' rules ', 'you ', 'the old word ');
  const parts = fc.array(part, { maxLength: 120 });

  const weigh = (text: string) => {
    const clean = new CleanText(2_000);
    clean.read(unitsOf(text), 0, text.length);
    const sums = hashes(reader.hash, String.fromCharCode(...clean.units.subarray(0, clean.length))).map((features) =>
      features.reduce((sum, feature) => sum + (table.weights[slotOf(feature, reader.bits)] ?? 0), 0),
    );
    return { highest: reader.weigh(clean, table), count: reader.count(clean), sums };
  };

  test('is what it is trained on', () => {
    fc.assert(
      fc.property(parts, (chosen) => {
        const { count, sums } = weigh(chosen.join(''));
        expect([...windowSums.subarray(0, count)]).toEqual(sums);
      }),
    );
  });

  test('is the most that any window comes to', () => {
    const add = (sums: readonly number[]): number => sums.reduce((total, sum) => total + sum, 0);
    fc.assert(
      fc.property(parts, (chosen) => {
        const { highest, sums } = weigh(chosen.join(''));
        const windows = sums.slice(reader.window - 1).map((_, from) => add(sums.slice(from, from + reader.window)));
        expect(highest).toBe(sums.length < reader.window ? add(sums) : Math.max(...windows));
      }),
    );
  });
});

describe('what is odd by nature', () => {
  const clean = (text: string): string =>
    cleanText(text)
      .map(({ units, length }) => String.fromCharCode(...units.subarray(0, length)))
      .join('');

  test('is taken out as an expression would take it out', () => {
    const part = fc.constantFrom('a', '7', '12', '_', ' ', '\u00a0', '-', 'é', '456', 'x'.repeat(37), '0'.repeat(41));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
        const text = parts.join('');
        expect(clean(text)).toBe(text.replaceAll(/\S{40,}|\b\d{3,}\b/g, ' '));
      }),
    );
  });

  test('is looked for at either end of a long text', () => {
    expect(clean(`${'a b '.repeat(5_000)}1234 ${'c d '.repeat(5_000)}`)).toBe(
      'a b '.repeat(4_096) + 'c d '.repeat(4_096),
    );
  });
});

describe('the highest window', () => {
  const table = tableOf(wordReader, -10, () => 1);

  const judge = (text: string, floor = 0): number =>
    Math.max(...cleanText(text).map((part) => highestWindow(part, table, wordReader, floor)));
  /** Different words, from the first again after so many. */
  const words = (count: number, different = 40): string =>
    Array.from(
      { length: count },
      (_, at) => `x${'abcdefgh'[(at % different) >> 3]}${'ijklmnop'[(at % different) & 7]} `,
    ).join('');

  test('is as sure in a long text as in a paragraph of it', () => {
    expect(judge(words(40))).toBeCloseTo(judge(words(4_000)));
    expect(judge(words(20))).toBeLessThan(judge(words(40)));
    expect(judge('')).toBe(0);
  });

  test('is no surer of what is said again, and sure of nothing where hardly anything else is said', () => {
    expect(judge(words(40, 20))).toBeLessThan(judge(words(20)));
    expect(judge(words(40, 3))).toBeGreaterThan(0);
    expect(judge(words(400, 2))).toBe(0);
  });

  test('is as high with a floor where it comes to the floor, and never above it elsewhere', () => {
    const text = fc.array(fc.constantFrom('one ', 'two ', 'three ', 'four ', words(9), words(50)), { maxLength: 30 });
    fc.assert(
      fc.property(text, fc.double({ min: 0, max: 1, noNaN: true }), (parts, floor) => {
        const [exact, floored] = [judge(parts.join('')), judge(parts.join(''), floor)];
        expect(floored < floor ? 0 : floored).toBe(exact < floor ? 0 : exact);
      }),
    );
  });
});

describe.each([injectionWording, oddCharacters, plantedOrders])('$name', ({ score }) => {
  test.each(['', ' ', 'a', '😀', '\u0000', 'word '.repeat(50_000)])('keeps between 0 and 1', (text) => {
    expect(score(text)).toBeGreaterThanOrEqual(0);
    expect(score(text)).toBeLessThanOrEqual(1);
    expect(score(text)).toBe(score(text));
  });

  test('finds nothing in prose', () => {
    const prose = 'The harbour lay still. Boats with red sails waited for the wind, and nobody said a word. ';
    expect(score(prose.repeat(5))).toBeLessThan(0.5);
  });

  test('finds no more in the same word or letter again than in one', () => {
    for (const word of ['a', 'you', 'system', 'prompt', 'password', 'hello']) {
      expect(score(`${word} `.repeat(60))).toBeLessThan(0.8);
    }
    const letter =
      'Dear all, please read the notes from the last meeting, send me your comments and tell your teams. ' +
      'You are welcome to add questions; I will answer before we start. The password policy changes in May. ';
    for (const times of [1, 2, 5, 200]) expect(score(letter.repeat(times))).toBeLessThan(0.95);
  });
});
