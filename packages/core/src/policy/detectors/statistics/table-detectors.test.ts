import { describe, expect, test } from '@jest/globals';
import { visitCharacters, visitWords } from './features.ts';
import { highestWindow } from './highest-window.ts';
import { wordReader } from './readers.ts';
import { injectionWording, oddCharacters } from './table-detectors.ts';
import { WeightTable } from './weight-table.ts';

const hashes = (visit: typeof visitWords, text: string) => {
  const all: (readonly number[])[] = [];
  visit(text, (...features) => all.push(features));
  return all;
};

describe('features', () => {
  test('of words are the same whatever the case, figures and signs', () => {
    expect(hashes(visitWords, 'Don’t IGNORE line 12!')).toEqual(hashes(visitWords, 'don’t  ignore; line 98'));
    expect(hashes(visitWords, "don't go")).toEqual(hashes(visitWords, 'dont go'));
    expect(hashes(visitWords, 'one two three')).toHaveLength(3);
    expect(hashes(visitWords, ' .,; ')).toEqual([]);
  });

  test('of words know what stood before', () => {
    const [, , third] = hashes(visitWords, 'one two three');
    const [, , other] = hashes(visitWords, 'two one three');
    expect(third?.[0]).toBe(other?.[0]);
    expect(third?.[1]).not.toBe(other?.[1]);
  });

  test('of characters look four back', () => {
    expect(hashes(visitCharacters, 'xabcd').at(-1)).not.toEqual(hashes(visitCharacters, 'yabcd').at(-2));
    expect(hashes(visitCharacters, '12345abcde').at(-1)).toEqual(hashes(visitCharacters, '99999abcde').at(-1));
  });
});

describe('the highest window', () => {
  const weights = Buffer.from(Int8Array.from({ length: 16 }, () => 1).buffer).toString('base64');
  const table = new WeightTable({ bits: 4, unit: 1, bias: -10, weights });

  test('is as sure in a long text as in a paragraph of it', () => {
    const words = (count: number): string => 'word '.repeat(count);
    expect(highestWindow(words(40), table, wordReader)).toBeCloseTo(highestWindow(words(4_000), table, wordReader));
    expect(highestWindow(words(20), table, wordReader)).toBeLessThan(highestWindow(words(40), table, wordReader));
    expect(highestWindow('', table, wordReader)).toBe(0);
  });
});

describe.each([injectionWording, oddCharacters])('$name', ({ score }) => {
  test.each(['', ' ', 'a', '😀', '\u0000', 'word '.repeat(50_000)])('keeps between 0 and 1', (text) => {
    expect(score(text)).toBeGreaterThanOrEqual(0);
    expect(score(text)).toBeLessThanOrEqual(1);
    expect(score(text)).toBe(score(text));
  });

  test('finds nothing in prose', () => {
    const prose = 'The harbour lay still. Boats with red sails waited for the wind, and nobody said a word. ';
    expect(score(prose.repeat(5))).toBeLessThan(0.5);
  });
});
