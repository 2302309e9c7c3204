import { expect, test } from '@jest/globals';
import { checkSource } from './check-source.ts';

test.each([
  ['', 'is empty'],
  [' \n\t', 'is empty'],
  ['PK\u0003\u0004', 'is binary: U+0003 at character 3'],
  ['a\uD800b', 'half of a surrogate pair'],
  ['é'.repeat(51), 'has 102 bytes, and at most 100'],
])('%j is refused, since it %s', (source, why) => {
  expect(() => checkSource(source, 100)).toThrow(why);
});

test('texts of any language pass, with tabs, escapes and line ends of any kind', () => {
  expect(() => checkSource('# スキル\r\n\t\u001B[1m🙂\f', 100)).not.toThrow();
});
