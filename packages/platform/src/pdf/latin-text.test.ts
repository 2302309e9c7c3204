import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { latinText } from './latin-text.ts';

test.each([
  ['Grüße, “quoted” – 5 €…', 'Grüße, “quoted” – 5 €…'],
  ['Őszi Łódź ﬁne', 'Oszi [1 character in another script]ódz fine'],
  ['Имя: Анна', '[3 characters in Cyrillic]: [4 characters in Cyrillic]'],
  ['say доброе утро now', 'say [11 characters in Cyrillic] now'],
  ['漢字かな', '[2 characters in Han][2 characters in Hiragana]'],
  ['שלום', '[4 characters in Hebrew]'],
  ['ok 😀', 'ok [1 character in emoji]'],
  ['a\u202eb\u0000c\u200dd\ne\tf', 'abcd\ne f'],
])('%j is written %j', (text, written) => expect(latinText(text)).toBe(written));

test('any text is written in characters that the fonts have, and cut', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      expect(latinText(text)).toMatch(/^[\n\x20-\x7e\u00a0-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/);
    }),
  );
  expect(latinText('x'.repeat(5_000))).toHaveLength(2_002);
});
