/** A regular expression in the dialect of ECMAScript, or the reason why the text is none. */
export type TranslatedRegex = { readonly regex: string; readonly flags: string } | { readonly reason: string };

/** What a POSIX class inside brackets stands for. */
const posixClasses: Readonly<Record<string, string>> = {
  alnum: 'A-Za-z0-9',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7f',
  blank: ' \\t',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\s',
  upper: 'A-Z',
  word: '\\w',
  xdigit: '0-9A-Fa-f',
};

/** Letters that mean something after a backslash. Any other would silently stand for itself. */
const knownEscapes = new Set('bBcdDfknpPrsStuvwWx0123456789AzZ');

const orderFlags = (flags: string): string => ['i', 'm', 's', 'u'].filter((flag) => flags.includes(flag)).join('');

/**
 * Translates what authors bring from other engines: leading `(?i)`, `(?P<name>`, `\A`, `\z`,
 * `\x{1F600}`, POSIX classes, `\p{…}` without the u flag. Where ECMAScript would read such a text as
 * something else without complaint, the text is refused instead. `flags` are out of `imsu`.
 */
export function translateRegex(source: string, flags: string): TranslatedRegex {
  const inline = /^\(\?([ims]+)\)/.exec(source);
  const pattern = inline === null ? source : source.slice(inline[0].length);
  const unicode = flags.includes('u') || /\\[pP]\{|\\x\{/.test(pattern);
  const allFlags = orderFlags(`${flags}${inline?.[1] ?? ''}${unicode ? 'u' : ''}`);
  const multiline = allFlags.includes('m');

  let regex = '';
  let inClass = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const rest = pattern.slice(at, at + 12);
    const char = pattern.charAt(at);
    if (char === '\\') {
      const escape = translateEscape(rest, inClass, multiline);
      if ('reason' in escape) return escape;
      regex += escape.text;
      at += escape.length - 1;
      continue;
    }
    const posix = inClass ? /^\[:([a-z]+):\]/.exec(rest) : null;
    if (posix !== null) {
      const members = posixClasses[posix[1] ?? ''];
      if (members === undefined) return { reason: `knows no character class ${posix[0]}` };
      regex += members;
      at += posix[0].length - 1;
      continue;
    }
    if (!inClass && rest.startsWith('(?P<')) {
      regex += '(?<';
      at += 3;
      continue;
    }
    if (char === '[' && !inClass) inClass = true;
    else if (char === ']') inClass = false;
    regex += char;
  }
  return { regex, flags: allFlags };
}

/** Translates the escape at the start of `rest`; `length` is how much of it was read. */
function translateEscape(
  rest: string,
  inClass: boolean,
  multiline: boolean,
): { readonly text: string; readonly length: number } | { readonly reason: string } {
  const letter = rest.charAt(1);
  if (/[A-Za-z]/.test(letter) && !knownEscapes.has(letter)) return { reason: `knows no escape \\${letter}` };
  if (!inClass && letter === 'A') return { text: multiline ? '(?<![^])' : '^', length: 2 };
  if (!inClass && letter === 'z') return { text: multiline ? '(?![^])' : '$', length: 2 };
  if (letter === 'A' || letter === 'z' || letter === 'Z') return { reason: `knows no escape \\${letter} here` };
  if (rest.startsWith('\\x{')) return { text: '\\u{', length: 3 };
  return { text: rest.slice(0, 2), length: Math.min(2, rest.length) };
}
