import type { View } from '../policy.ts';
import { signsOf, textSign, unitsOf } from './text-units.ts';
import { base32Values, base64Values, binaryValues, hexValues, packBits, readText } from './bytes.ts';
import { spanning, type Emit } from './piece.ts';

/** Shorter runs hold no attack worth the name. */
const fewestBase64 = 16;
const fewestHex = 24;
const fewestBase32 = 24;

/** Runs are looked at here first: most are words, keys or pictures, and tell it at once. */
const sample = 64;

/** By unit. */
const isBase64 = Uint8Array.from({ length: 0x1_0000 }, (_, unit) => ((base64Values[unit] ?? -1) >= 0 ? 1 : 0));

/** Finds runs of base64, hex and base32 and what they spell. Looks at every sixteenth unit at first. */
export function decodeRuns(text: string, emit: Emit): boolean {
  const { length } = text;
  let units = unitsOf(text);
  for (let at = fewestBase64 - 1; at < length; at += fewestBase64) {
    if (isBase64[units[at] as number] === 0 || !mayBeInRun(units, at)) continue;
    let start = at;
    while (start > 0 && isBase64[units[start - 1] as number] === 1) start -= 1;
    let end = at + 1;
    while (end < length && isBase64[units[end] as number] === 1) end += 1;
    if (end - start < fewestBase64) continue;
    end = joinLines(text, start, end);
    if (!decodeRun(text.slice(start, end), start, emit)) return false;
    // The run has been read: the next look is behind it.
    at = Math.max(at, end - 1);
    units = unitsOf(text);
  }
  return true;
}

/** A run that is long enough reaches seven units back, or eight ahead. Nothing is decided in between: spaces cannot be foreseen. */
function mayBeInRun(units: Uint16Array, at: number): boolean {
  let back = 1;
  for (let unit = at - 7; unit < at; unit += 1) back &= isBase64[units[unit] as number] as number;
  let ahead = 1;
  for (let unit = at + 1; unit <= at + 8; unit += 1) ahead &= isBase64[units[unit] as number] as number;
  return (back | ahead) !== 0;
}

const inRun = (text: string, at: number): boolean => isBase64[text.charCodeAt(at)] === 1;

/** Encoders break lines at 60, 64 or 76 characters. */
function joinLines(text: string, start: number, end: number): number {
  let last = end;
  let lineStart = start;
  while (last - lineStart >= 60) {
    let next = last;
    while (next < text.length && next - last < 2 && (text[next] === '\n' || text[next] === '\r')) next += 1;
    if (next === last) break;
    lineStart = next;
    while (next < text.length && inRun(text, next)) next += 1;
    if (next === lineStart) break;
    last = next;
  }
  return last;
}

function decodeRun(run: string, start: number, emit: Emit): boolean {
  const end = start + run.length;
  const attempt = (view: View, values: Int8Array, bits: number, from = 0): boolean | undefined => {
    const probe = readText(packBits(run.slice(from, from + sample), values, bits));
    if (probe === undefined) return undefined;
    const text = run.length <= sample ? probe : readText(packBits(run.slice(from), values, bits));
    return text === undefined ? undefined : emit(spanning(view, text, start, end));
  };
  if (run.length >= fewestHex && /^[0-9a-fA-F\r\n]+$/.test(run)) return attempt('hex', hexValues, 4) ?? true;
  if (run.length >= fewestBase32 && /^[A-Z2-7\r\n]+$/.test(run)) {
    const decoded = attempt('base32', base32Values, 5);
    if (decoded !== undefined) return decoded;
  }
  // Paths, rulers and words: what base64 makes of a text has letters of both kinds.
  if (!/[A-Z]/.test(run) || !/[a-z]/.test(run)) return true;
  const decoded = attempt('base64', base64Values, 6);
  if (decoded !== undefined) return decoded;
  // A path or a name may be written right before it.
  const glued = Math.max(run.lastIndexOf('/'), run.lastIndexOf('_'), run.lastIndexOf('-')) + 1;
  return glued === 0 || run.length - glued < fewestBase64 ? true : (attempt('base64', base64Values, 6, glued) ?? true);
}

/** Bytes written one by one, in hex (`69 67 6e`, `0x69,0x67`) or in binary. */
const spelledBytes =
  /(?<![0-9a-z])(?:[01]{8}[\s,]?){6,}(?![0-9a-z])|(?<![0-9a-z])(?:(?:0x)?[0-9a-f]{2}[ :,;-]{1,2}){7,}(?:0x)?[0-9a-f]{2}(?![0-9a-z])/gi;

/** Eight bytes of two digits with something in between. */
const fewestSpelled = 23;

export function decodeSpelledBytes(text: string, emit: Emit): boolean {
  if (text.length < fewestSpelled || !maySpellBytes(text)) return true;
  for (const match of text.matchAll(spelledBytes)) {
    const isBinary = /^[01\s,]+$/.test(match[0]) && /^[01]{8}/.test(match[0]);
    const digits = isBinary ? match[0] : match[0].replaceAll(/0x/gi, '');
    const decoded = readText(isBinary ? packBits(digits, binaryValues, 1) : packBits(digits, hexValues, 4));
    if (decoded === undefined) continue;
    const piece = spanning(isBinary ? 'binary' : 'hex', decoded, match.index, match.index + match[0].length);
    if (!emit(piece)) return false;
  }
  return true;
}

const isHex = Uint8Array.from({ length: 0x1_0000 }, (_, unit) => ((hexValues[unit] ?? -1) >= 0 ? 1 : 0));

/** Looks at every sixteenth place for what stands in the middle of such a row. */
function maySpellBytes(text: string): boolean {
  if (text.includes('0x')) return true;
  if ((signsOf(text) & textSign.spelled) === 0) return false;
  const units = unitsOf(text);
  for (let at = 8; at + 8 < text.length; at += 16) {
    // Between bytes stands what is no digit, one or two places on from a digit.
    const here = isHex[units[at] as number] as number;
    const gap = at + here + (here & (isHex[units[at + 1] as number] as number));
    if (isGap(units, gap) && isGap(units, gap + 3) && isGap(units, gap - 3)) return true;
    if (((units[at] as number) & 0xfe) === 0x30 && isBit(text, at + 1) && isEightBits(text, at)) return true;
  }
  return false;
}

/** Something that is no digit stands between two digits on either side. */
const isGap = (units: Uint16Array, at: number): boolean =>
  ((isHex[units[at - 2] as number] as number) &
    (isHex[units[at - 1] as number] as number) &
    ~(isHex[units[at] as number] as number) &
    (isHex[units[at + 1] as number] as number) &
    (isHex[units[at + 2] as number] as number)) !==
  0;

const isBit = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfe) === 0x30;

function isEightBits(text: string, at: number): boolean {
  let start = at;
  while (start > 0 && at - start < 8 && isBit(text, start - 1)) start -= 1;
  let end = at + 1;
  while (end < text.length && end - start < 8 && isBit(text, end)) end += 1;
  return end - start >= 8;
}

const morse: Readonly<Record<string, string>> = Object.fromEntries(
  '.- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --..'
    .split(' ')
    .map((code, at) => [code, String.fromCharCode(0x61 + at)]),
);
const digitCodes = ['-----', '.----', '..---', '...--', '....-', '.....', '-....', '--...', '---..', '----.'];
const morseRun = /(?:[.-]{1,5}(?:[ ]{1,7}|[ ]?[/|][ ]?|\r?\n)){8,}[.-]{1,5}/g;

/** Worth a look: a letter that only Morse ends like this. */
const mayBeMorse = (text: string): boolean => text.includes('-. ') && text.includes('.- ');

export function decodeMorse(text: string, emit: Emit): boolean {
  if (!mayBeMorse(text)) return true;
  for (const match of text.matchAll(morseRun)) {
    const decoded = match[0]
      .split(/ ?[/|] ?| {2,}|\r?\n/)
      .map((word) =>
        word
          .split(' ')
          .map((code) => morse[code] ?? digitOf(code))
          .join(''),
      )
      .join(' ');
    if (!emit(spanning('morse', decoded, match.index, match.index + match[0].length))) return false;
  }
  return true;
}

const digitOf = (code: string): string => {
  const digit = digitCodes.indexOf(code);
  return digit < 0 ? '' : String(digit);
};
