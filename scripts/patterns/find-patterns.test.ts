import { expect, test } from '@jest/globals';
import { findPatterns } from './find-patterns.ts';

test.each([
  ['const a = /x[/]y/gi;', ['/x[/]y/gi']],
  ['const a = b / c / d;', []],
  ['const a = (b + c) / 2 / d[0] / e;', []],
  ['return /a\\/b/.test(x) ? /c/ : `${/d/.exec("}")} / ${1 / 2} /e/`;', ['/a\\/b/', '/c/', '/d/']],
  ['\'/no/\'; // /no/\n/* /no/ */ f(/yes/, "/no/")', ['/yes/']],
  ['({ a: /b/ }) ; [/c/, ...d]; e => /f/', ['/b/', '/c/', '/f/']],
])('%s', (code, patterns) => {
  expect(findPatterns(code).map(({ source, flags }) => `/${source}/${flags}`)).toEqual(patterns);
});

test('tells the line', () => {
  expect(findPatterns('a;\n\nb = /c/;').map(({ line }) => line)).toEqual([3]);
});
