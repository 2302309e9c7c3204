/** One way of writing a text so that a reader still understands it and a plain pattern does not. */
export interface Encoding {
  readonly name: string;
  readonly encode: (text: string) => string;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const hex = (text: string): string => Buffer.from(text).toString('hex');
const perLetter = (text: string, change: (letter: string, index: number) => string): string =>
  Array.from(text, change).join('');

/** Letters moved by a distance in the code space: mathematical bold, full width. */
const shifted = (upper: number, lower: number) => (text: string) =>
  perLetter(text, (letter) => {
    if (/[A-Z]/.test(letter)) return String.fromCodePoint(upper + letter.charCodeAt(0) - 65);
    if (/[a-z]/.test(letter)) return String.fromCodePoint(lower + letter.charCodeAt(0) - 97);
    return letter;
  });
const swapped = (pairs: Readonly<Record<string, string>>) => (text: string) =>
  perLetter(text, (letter) => pairs[letter] ?? letter);

const cyrillic = { a: 'а', c: 'с', e: 'е', i: 'і', o: 'о', p: 'р', s: 'ѕ', x: 'х', y: 'у' };
const leet = { a: '4', e: '3', i: '1', o: '0', s: '5', t: '7' };

/** The encodings that every caught attack is measured in. */
export const encodings: readonly Encoding[] = [
  { name: 'base64', encode: base64 },
  { name: 'base64 twice', encode: (text) => base64(base64(text)) },
  { name: 'hex', encode: hex },
  { name: 'hex with spaces', encode: (text) => hex(text).replaceAll(/..(?!$)/g, '$& ') },
  {
    name: 'percent',
    encode: (text) => Buffer.from(text).reduce((sum, byte) => `${sum}%${byte.toString(16).padStart(2, '0')}`, ''),
  },
  {
    name: 'unicode escapes',
    encode: (text) => text.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  },
  { name: 'HTML entities', encode: (text) => perLetter(text, (letter) => `&#${letter.codePointAt(0)};`) },
  { name: 'zero width', encode: (text) => perLetter(text, (letter) => `${letter}\u200B`) },
  { name: 'soft hyphen', encode: (text) => perLetter(text, (letter) => `${letter}\u00AD`) },
  {
    name: 'combining marks',
    encode: (text) => perLetter(text, (letter) => (/[a-z]/i.test(letter) ? `${letter}\u0336` : letter)),
  },
  { name: 'full width', encode: shifted(0xff21, 0xff41) },
  { name: 'mathematical bold', encode: shifted(0x1d400, 0x1d41a) },
  { name: 'Cyrillic look-alikes', encode: swapped(cyrillic) },
  {
    name: 'tag characters',
    encode: (text) =>
      perLetter(text, (letter) =>
        letter >= ' ' && letter <= '~' ? String.fromCodePoint(0xe0000 + letter.charCodeAt(0)) : letter,
      ),
  },
  {
    name: 'rot13',
    encode: (text) =>
      text.replaceAll(/[a-z]/gi, (letter) =>
        String.fromCharCode(letter.charCodeAt(0) + (letter.toLowerCase() < 'n' ? 13 : -13)),
      ),
  },
  { name: 'reversed', encode: (text) => Array.from(text).toReversed().join('') },
  { name: 'leetspeak', encode: (text) => swapped(leet)(text.toLowerCase()) },
  {
    name: 'spaced letters',
    encode: (text) =>
      text
        .split(/\s+/)
        .map((word) => Array.from(word).join(' '))
        .join('  '),
  },
];
