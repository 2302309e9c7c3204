import { expect, test } from '@jest/globals';
import { checkSkillName } from './check-skill-name.ts';

test.each([
  ['pdf-tools', 'pdf-tools'],
  ['PDF Tools 2.0 (beta)', 'PDF Tools 2.0 (beta)'],
  ['cafe\u0301-notes', 'café-notes'],
  ['Überblick', 'Überblick'],
  ['заметки-2', 'заметки-2'],
  ['PDF заметки', 'PDF заметки'],
  ['会議メモ', '会議メモ'],
  ['PDF処理スキル', 'PDF処理スキル'],
  ['회의록 정리', '회의록 정리'],
  ['ملاحظات', 'ملاحظات'],
])('%s is a name', (given, name) => {
  expect(checkSkillName('skill_name', given)).toBe(name);
});

test.each([
  ['a filler of Hangul', 'pdf\u3164', 'not seen'],
  ['a half-width filler', 'pdf\uffa0x', 'not seen'],
  ['a blank of Braille', 'pdf\u2800', 'not seen'],
  ['a joiner of graphemes', 'pdf\u034f-x', 'not seen'],
  ['a variation selector', 'pdf\ufe0f-x', 'not seen'],
  ['a tag', 'pdf\u{E0061}-x', 'not seen'],
  ['a zero-width space', 'pdf\u200b-x', 'not seen'],
  ['an override of direction', 'pdf\u202ex', 'not seen'],
  ['a letter for private use', 'pdf\ue000', 'not seen'],
  ['a no-break space', 'pdf\u00a0x', 'blank'],
  ['an ideographic space', 'pdf\u3000x', 'blank'],
  ['a full-width letter', 'ｐdf', 'full width'],
  ['a mathematical letter', '𝗉df', 'U+1D5C9'],
  ['a ligature', 'con\uFB01g', 'U+FB01'],
  ['a Cyrillic letter among Latin ones', 'рdf-tools', 'Latin and Cyrillic'],
  ['a Greek letter among Latin ones', 'nοtes', 'Latin and Greek'],
  ['a word of Cyrillic look-alikes', 'сору-file', 'reads like another name'],
  ['a line end', 'pdf\ntools', 'not seen'],
])('%s is refused', (_what, name, rule) => {
  expect(() => checkSkillName('skill_name', name)).toThrow(rule);
});
