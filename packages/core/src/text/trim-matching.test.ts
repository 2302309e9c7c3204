import { expect, test } from '@jest/globals';
import { trimEndMatching, trimSlashes, trimMatching } from './trim-matching.ts';

const isDot = (unit: number): boolean => unit === 0x2e;

test.each([
  ['', '', ''],
  ['...', '', ''],
  ['.a.b..', '.a.b', 'a.b'],
  ['a', 'a', 'a'],
])('%j without dots at its end is %j, at both %j', (text, end, both) => {
  expect(trimEndMatching(text, isDot)).toBe(end);
  expect(trimMatching(text, isDot)).toBe(both);
});

test('runs inside a long text stay, however many there are', () => {
  const inside = `a${'.'.repeat(500_000)}b`;
  expect(trimMatching(`..${inside}...`, isDot)).toBe(inside);
});

test('an address keeps the slashes that are not at its end', () => {
  expect(trimSlashes('https://a.example//b//')).toBe('https://a.example//b');
});
