import { expect, test } from '@jest/globals';
import { renderStatusText } from './status-text.ts';

test.each([
  ['Rate limit exceeded', 'Rate limit exceeded'],
  ['a\r\nset-cookie: b', 'a set-cookie: b'],
  ['für €\u0000 5', 'f r 5'],
  ['  \u200b ', ''],
])('%j stands in a status line as %j', (text, line) => {
  expect(renderStatusText(text)).toBe(line);
});

test('a long text is cut', () => {
  expect(renderStatusText('x'.repeat(10_000))).toHaveLength(240);
});
