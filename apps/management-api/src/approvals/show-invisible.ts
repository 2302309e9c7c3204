/**
 * Control and format characters, variation selectors and other characters without a shape; tab and line break are seen.
 * Letters that stand beside each other in a text would otherwise read as if nothing were between them.
 */
const invisible =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Co}\p{Cs}\u00A0\u2000-\u200A\u202F\u205F\u2800\u3000]/gu;
const seen = new Set(['\t', '\n']);

/** A text whose invisible characters stand as `⟨U+200B⟩`, and how many there were. */
export function showInvisible(text: string): { readonly text: string; readonly count: number } {
  let count = 0;
  const shown = text.replaceAll(invisible, (char) => {
    if (seen.has(char)) return char;
    count += 1;
    return `⟨U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
  return { text: shown, count };
}
