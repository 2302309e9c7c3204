import { expect, test } from '@jest/globals';
import { lineOfFile } from '../reading/line-of-file.ts';
import { collapseBlanks } from './collapse-blanks.ts';
import { readPackage } from './read-package.ts';

test('blanks between words become one, empty lines two, and places behind them know their line', () => {
  const { text, gaps, padded } = collapseBlanks(`a${' '.repeat(9)}b${'\n'.repeat(60)}  c\n${'\t'.repeat(250)}d`);
  expect(text).toBe(`a b\n\n\n  c\n${'\t'.repeat(100)}d`);
  expect(gaps).toEqual([[8, 57]]);
  expect(padded).toEqual([
    { at: 8, kind: 'lines' },
    { at: text.length - 1, kind: 'blanks' },
  ]);
});

test('what people write stays as it is', () => {
  for (const text of [
    'def a():\n        return 1\n\n\ndef b(): pass\r\n\r\n\r\n',
    '   indented',
    'a\tb   c  \n',
    '',
    '\n\n',
  ])
    expect(collapseBlanks(text).text).toBe(text);
});

test('blanks of any alphabet and line ends of any system are blanks', () => {
  for (const blank of ['\u00A0', '\u3000', '\u2003', '\u2800', '\u3164', '\v', '\f'])
    expect(collapseBlanks(`a${blank.repeat(5_000)}b`).text).toBe('a b');
  for (const end of ['\r\n', '\r', '\u2028', '\u0085', ' \n', '\u3000\n'])
    expect(collapseBlanks(`a${end.repeat(5_000)}b`).text.length).toBeLessThan(6);
});

test('a long text of a million gaps is read in bounded work, with the lines of its end', () => {
  const filler = 'x=1\n\n\n\n\n'.repeat(500_000);
  const [file] = readPackage([{ path: 'a.md', bytes: new TextEncoder().encode(`${filler}the end`) }]).files;
  expect(file?.unread).toBe('too long');
  expect(file && lineOfFile(file, file.text?.indexOf('the end') ?? 0)).toBe(2_500_001);
});
