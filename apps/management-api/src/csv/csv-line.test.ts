import { expect, test } from '@jest/globals';
import { renderCsvLine } from './csv-line.ts';

test.each([
  [['a', 1, null, undefined, -5], 'a,1,,,-5\r\n'],
  [['a,b', 'say "x"', 'two\nlines'], '"a,b","say ""x""","two\nlines"\r\n'],
  [[{ a: 1 }], '"{""a"":1}"\r\n'],
])('%j becomes %j', (values, line) => {
  expect(renderCsvLine(values)).toBe(line);
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '\r=1', '|calc', '%x'])('%j is no formula', (text) => {
  expect(renderCsvLine([text])).toBe(`"'${text}"\r\n`);
});
