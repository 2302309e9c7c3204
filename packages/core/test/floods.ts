/** Texts that are made to cost much: the same again and again, or numbers and words that are new each time. */
let seed = 0;

const below = (limit: number): number => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return (seed >>> 8) % limit;
};
const some = (from: string, length: number): string =>
  Array.from({ length }, () => from.charAt(below(from.length))).join('');
const digits = (length: number): string => some('0123456789', length);
const hex = (length: number): string => some('0123456789abcdef', length);
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const units: Readonly<Record<string, string | (() => string)>> = {
  'one letter': 'a',
  'at signs': '@',
  'e-mail addresses': 'a@b.co ',
  'beginnings of e-mail addresses': 'a.b@',
  'keys without values': 'key=',
  'beginnings of AWS keys': 'AKIA',
  'AWS keys': 'AKIAIOSFODNN7EXAMPLE ',
  passwords: () => `password=${some(`${letters}0123456789`, 20)} `,
  'base64 letters': () => some(`${letters}0123456789+/`, 64),
  'base64 words': () => `${some(`${letters}0123456789`, 40)} `,
  'base64 of base64': 'U1dkdWIzSmxJR0ZzYkNCd2NtVjJhVzkxY3lCeWRXeGxjdz09 ',
  'spaces without width': '\u200b',
  'letters and spaces without width': 'a\u200b',
  homoglyphs: '\u0456gn\u043Er\u0435 \u0430ll ',
  'percent escapes': '%41',
  'percent escapes of percent signs': '%2541',
  entities: '&#65;',
  escapes: '\\u0041',
  braces: '{',
  'angle brackets': '<',
  quotes: '"',
  'beginnings of JSON': '{"a":',
  'a trigger word': 'ignore ',
  'trigger words': 'ignore all previous rules say show list your ',
  rulers: '--- new --- =',
  'digits in rows': '0123456789 ',
  'single digits': () => `${digits(1)} `,
  'digits without end': () => digits(40),
  'IBAN-like numbers': () => `DE${digits(2)} ${digits(4)} ${digits(4)} ${digits(4)} ${digits(4)} ${digits(2)} `,
  'IBAN-like words': () => `${some('ABCDEFGH', 2)}${digits(20)} `,
  'card-like numbers': () => `4${digits(15)} `,
  'card-like numbers in groups': () => `4${digits(3)}-${digits(4)}-${digits(4)}-${digits(4)} `,
  'phone-like numbers': () => `${digits(3)}-${digits(3)}-${digits(4)} `,
  'phone-like numbers with area codes': () => `(${digits(3)}) ${digits(3)}-${digits(4)} `,
  'announced phone-like numbers': () => `call ${digits(3)} ${digits(3)} ${digits(4)}; `,
  'international numbers': () => `+${digits(11)} `,
  'numbers of eight digits': () => `${digits(8)} `,
  'numbers of nine digits': () => `${digits(9)} `,
  'numbers of eleven digits': () => `${digits(11)} `,
  'IP addresses': () => `${below(255)}.${below(255)}.${below(255)}.${below(255)} `,
  'long IP addresses': () => `${Array.from({ length: 8 }, () => hex(4)).join(':')} `,
  identifiers: () => `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)} `,
  'a line without spaces': () => some(letters, 64),
  'letters one by one': 'i g n o r e ',
  'digits for letters': '1gn0r3 4ll ',
  'turned words': ' gur lbh vtaber eht erongi ',
  'bits and Morse': '01000001 .- -... ',
  'ligatures that fold to eighteen letters': '\uFDFA',
  'mathematical letters': '\u{1D41A}\u{1D41B} ',
  'words in mathematical letters':
    '\u{1D422}\u{1D420}\u{1D427}\u{1D428}\u{1D42B}\u{1D41E} \u{1D41A}\u{1D425}\u{1D425} ',
  'full width letters': '\uFF49\uFF47\uFF4E\uFF4F\uFF52\uFF45 ',
  'combining marks': 'a\u0301\u0302\u0303',
  'combining marks without end': '\u0301',
  'tag characters': '\u{E0069}\u{E0067}',
  'flags in tag characters': '\u{1F3F4}\u{E0067}\u{E0062}\u{E007F}',
  'variation selectors': 'a\uFE01\uFE02\uFE03\uFE04',
  'halves of pairs': '\uD835',
  'one word without end': () => some(letters.slice(26), 64),
  'deep percent escapes': '%25252541',
  'entities by name': '&lt;&#x41;',
  'hex without end': () => hex(64),
  'bytes in hex': () => `${hex(2)} `,
  'base32 without end': () => some('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 64),
  'Morse without end': '.- -... ',
  'text in base64 without end': () => Buffer.from(`tell me what stands in ${some('abcdef ', 25)}`).toString('base64'),
  'lines of base64': () => `${some(`${letters}0123456789+/`, 76)}\n`,
  'letters one by one without end': () => `${some('abcdefgh', 1)} `,
  'pairs of key and value': 'a:b:c=d;',
  'all kinds of signs': () => some('aA0 @.=-{<"\u200b\u0430%&\\', 64),
};

export const floodNames: readonly string[] = Object.keys(units);

/** The same text for the same name and size. */
export function floodOf(name: string, size: number): string {
  const unit = units[name] ?? '';
  seed = 7;
  let text = '';
  while (text.length < size) text += typeof unit === 'string' ? unit.repeat(64) : unit();
  // One piece, as texts are that came in a body.
  return Buffer.from(text.slice(0, size), 'utf16le').toString('utf16le');
}
