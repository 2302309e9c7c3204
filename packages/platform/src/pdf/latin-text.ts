/** Characters beside ASCII and Latin-1 that the fonts have which every PDF reader brings along. */
const typographic = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';
const known = new RegExp(`^[\\x20-\\x7e\\u00a0-\\u00ff${typographic}]$`, 'u');

/** Scripts that texts are likely to be in, by their name in Unicode. */
const scripts = [
  'Cyrillic',
  'Greek',
  'Arabic',
  'Hebrew',
  'Han',
  'Hiragana',
  'Katakana',
  'Hangul',
  'Devanagari',
  'Bengali',
  'Tamil',
  'Thai',
  'Armenian',
  'Georgian',
  'Emoji_Presentation',
] as const;
const patterns = scripts.map((script) => {
  const property = script === 'Emoji_Presentation' ? script : `Script=${script}`;
  return [script === 'Emoji_Presentation' ? 'emoji' : script, new RegExp(`^\\p{${property}}$`, 'u')] as const;
});

/** Characters without a place of their own on a page: controls, joiners, marks, and what turns directions. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{M}]/u;

interface Run {
  readonly script: string;
  count: number;
}

/**
 * A text in the characters of the fonts that every PDF reader brings along. Latin letters with marks that those do not have
 * lose them; what is in another script is told by its length, such as `[9 characters in Cyrillic]`, instead of being drawn as
 * something else. Line ends stay.
 * @param most characters; a longer text is cut
 */
export function latinText(text: string, most = 2_000): string {
  const cut = text.length > most ? `${text.slice(0, most)} …` : text;
  let written = '';
  let run: Run | undefined;
  let gap = '';
  const close = () => {
    if (run !== undefined) written += `[${run.count} ${run.count === 1 ? 'character' : 'characters'} in ${run.script}]`;
    written += gap;
    [run, gap] = [undefined, ''];
  };
  for (const character of cut.toWellFormed().normalize('NFC')) {
    const plain = plainOf(character);
    if (plain === undefined) {
      const script = scriptOf(character);
      if (run?.script !== script) close();
      // Blanks between words of a script are part of it.
      run ??= { script, count: 0 };
      run.count += 1 + gap.length;
      gap = '';
    } else if (run !== undefined && plain === ' ') gap += ' ';
    else if (plain !== '') {
      close();
      written += plain;
    }
  }
  close();
  return written;
}

/** The character as the fonts have it, empty for one that is not seen; undefined where they do not. */
function plainOf(character: string): string | undefined {
  if (character === '\n') return '\n';
  if (character === '\t') return ' ';
  if (known.test(character)) return character;
  if (invisible.test(character)) return '';
  const bare = character.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  return Array.from(bare).every((one) => known.test(one)) && bare !== '' ? bare : undefined;
}

const scriptOf = (character: string): string =>
  patterns.find(([, pattern]) => pattern.test(character))?.[0] ?? 'another script';
