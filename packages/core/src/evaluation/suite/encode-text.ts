import { Buffer } from 'node:buffer';

const lookAlikes: Readonly<Record<string, string>> = {
  a: '\u0430',
  c: '\u0441',
  e: '\u0435',
  i: '\u0456',
  o: '\u043e',
  p: '\u0440',
  s: '\u0455',
  x: '\u0445',
  y: '\u0443',
};
const digitsForLetters: Readonly<Record<string, string>> = { a: '4', e: '3', i: '1', o: '0', s: '5', t: '7' };

const mapChars = (text: string, map: (char: string) => string): string => Array.from(text, map).join('');
const bytes = (text: string): Buffer => Buffer.from(text, 'utf8');

/** Moves each Latin letter by thirteen places. */
export const rot13 = (text: string): string =>
  text.replaceAll(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });

export const reverse = (text: string): string => Array.from(text).toReversed().join('');

/** Ways to write a text that filters of plain text do not read. */
export const encoders = {
  base64: (text: string) => bytes(text).toString('base64'),
  hex: (text: string) => bytes(text).toString('hex'),
  rot13,
  zero_width: (text: string) => Array.from(text).join('\u200b'),
  homoglyph: (text: string) => mapChars(text, (char) => lookAlikes[char] ?? char),
  tags: (text: string) =>
    mapChars(text, (char) => (char >= ' ' && char <= '~' ? String.fromCodePoint(0xe0000 + char.charCodeAt(0)) : char)),
  leet: (text: string) => mapChars(text, (char) => digitsForLetters[char] ?? char),
  spaced: (text: string) => Array.from(text).join(' '),
  reversed: reverse,
  entities: (text: string) => mapChars(text, (char) => `&#${char.codePointAt(0)};`),
} as const satisfies Readonly<Record<string, (text: string) => string>>;

export type EncoderName = keyof typeof encoders;
export const isEncoder = (name: string): name is EncoderName => Object.hasOwn(encoders, name);
