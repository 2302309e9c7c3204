import { expect, test } from '@jest/globals';
import { showInvisible } from './show-invisible.ts';

test.each([
  ['plain text,\n\twith lines', 'plain text,\n\twith lines', 0],
  ['ad\u200Bmin', 'ad⟨U+200B⟩min', 1],
  ['a\u202Eb\u{E0041}', 'a⟨U+202E⟩b⟨U+E0041⟩', 2],
  ['bell\u0007 nul\0 no-break\u00A0', 'bell⟨U+0007⟩ nul⟨U+0000⟩ no-break⟨U+00A0⟩', 3],
  ['half \uD800 of a pair', 'half ⟨U+D800⟩ of a pair', 1],
  ['Łódź, 東京, 👩, e\u0301', 'Łódź, 東京, 👩, e\u0301', 0],
])('%j reads %j', (text, shown, count) => {
  expect(showInvisible(text)).toEqual({ text: shown, count });
});
