import type { View } from '../policy.ts';
import { UnitWriter } from './fold.ts';
import { cluster, mapping, type Emit } from './piece.ts';

/** One notation for characters inside a text. */
interface Notation {
  readonly view: View;
  /** What must stand in a text several times for a closer look. */
  readonly sign: RegExp;
  /** What is decoded where it does. */
  readonly every: RegExp;
  decode(written: string): string | undefined;
}

/** How much text around the signs is read with them. */
const context = 256;
/** One or two are part of any address or page; a message takes more. They hide a word: what is near them is read. */
const fewestSigns = 3;
/** How much text around few signs is read, and how much of the word in which one stands. */
const near = 96;
const longestWord = 512;

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

const fromPoint = (digits: string, radix: number): string | undefined => {
  const point = Number.parseInt(digits, radix);
  return point > 0 && point <= 0x10_ffff ? String.fromCodePoint(point) : undefined;
};

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  zerowidthspace: '',
  nobreak: '',
  hyphen: '-',
  dash: '-',
  commat: '@',
  tab: '\t',
  newline: '\n',
  excl: '!',
  period: '.',
  comma: ',',
  colon: ':',
  semi: ';',
  lowbar: '_',
  sol: '/',
  zwnj: '',
  zwj: '',
  shy: '',
};
const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', "'": "'", '/': '/' };

export const percent: Notation = {
  view: 'url',
  sign: /%(?:u[0-9a-f]{2})?[0-9a-f]{2}/gi,
  // Bytes of one character stand together. `+` is a space only where nothing else is.
  every: /%u[0-9a-f]{4}|%[0-7][0-9a-f]|(?:%[89a-f][0-9a-f])+/gi,
  decode: (written) =>
    written.charAt(1).toLowerCase() === 'u'
      ? fromPoint(written.slice(2), 16)
      : utf8.decode(Uint8Array.from(written.slice(1).split('%'), (digits) => Number.parseInt(digits, 16))),
};

export const backslash: Notation = {
  view: 'escapes',
  sign: /\\(?:u\{?[0-9a-f]{2,6}\}?|x[0-9a-f]{2}|[0-3][0-7]{2})/gi,
  every: /\\(?:u\{[0-9a-f]{1,6}\}|u[0-9a-f]{4}|U[0-9a-f]{8}|x\{?[0-9a-f]{2}\}?|[0-3][0-7]{2}|[nrt"'/])/gi,
  decode(written) {
    const letter = written.charAt(1);
    const digits = written.replaceAll(/^\\[uUx]?\{?|\}$/g, '');
    if (letter === 'u' || letter === 'U' || letter === 'x' || letter === 'X') return fromPoint(digits, 16);
    return controls[letter] ?? fromPoint(digits, 8);
  },
};

export const entity: Notation = {
  view: 'entities',
  sign: /&#x?[0-9a-f]{1,7};?/gi,
  every: /&(?:#x[0-9a-f]{1,7}|#\d{1,7}|[a-z]{2,14});?/gi,
  decode(written) {
    const body = written.slice(1).replace(/;$/, '');
    if (!body.startsWith('#')) return named[body.toLowerCase()];
    return /^#x/i.test(body) ? fromPoint(body.slice(2), 16) : fromPoint(body.slice(1), 10);
  },
};

/** Writes out what a notation spells, in its surroundings, where it stands several times. */
export function decodeNotation(text: string, notation: Notation, emit: Emit): boolean {
  for (const [start, end] of cluster(text, text.matchAll(notation.sign), context, fewestSigns)) {
    if (!emit(writeOut(text, start, end, notation))) return false;
  }
  return true;
}

/** What stands for one character in any of the notations. */
const anyEscape = new RegExp([percent, backslash, entity].map(({ every }) => every.source).join('|'), 'gi');

/** Where a closer look for few of them is worth its while: all signs, and the names of what is not seen or looks like a space. */
const fewSigns = new RegExp(
  `${[percent, backslash, entity].map(({ sign }) => sign.source).join('|')}|&(?:shy|zwj|zwnj|nbsp|zerowidthspace|nobreak|tab|newline|lowbar|hyphen|dash|period|commat|colon|sol);`,
  'gi',
);

const notationOf = (written: string): Notation =>
  written.startsWith('%') ? percent : written.startsWith('&') ? entity : backslash;

/** Encoders of pages and scripts write these, and quotation marks and dashes beyond ASCII, wherever they stand. */
const usual = /^["'<>&\u2010-\u203a]$/;

/** A sign that stands for something that a writer had no need to escape. */
function isUnusual(written: string): boolean {
  const notation = notationOf(written);
  if (notation === percent) return true;
  const decoded = notation.decode(written);
  return decoded !== undefined && !usual.test(decoded);
}

function* unusualSigns(text: string): Generator<RegExpExecArray> {
  for (const match of text.matchAll(fewSigns)) if (isUnusual(match[0])) yield match;
}

/** Writes out what few signs spell, of whichever notations, with what is near them. */
export function decodeRareEscapes(text: string, emit: Emit): boolean {
  for (const signs of clustersOf(unusualSigns(text))) {
    const notations = new Set(signs.map(({ 0: written }) => notationOf(written)));
    // Many of one notation are read as what they are, with more around them.
    if (signs.length >= fewestSigns && notations.size === 1) continue;
    const [first, last] = [signs[0] as RegExpExecArray, signs.at(-1) as RegExpExecArray];
    const start = Math.max(0, Math.min(first.index - near, startOfWord(text, first.index)));
    const end = Math.min(text.length, Math.max(last.index + near, endOfWord(text, last.index)));
    const { text: written, offsets } = unescape(text.slice(start, end)) ?? {};
    if (written === undefined || offsets === undefined) continue;
    const piece = mapping(
      notationOf(first[0]).view,
      written,
      offsets.map((at) => at + start),
    );
    if (!emit({ ...piece, isPart: true })) return false;
  }
  return true;
}

function* clustersOf(matches: Iterable<RegExpExecArray>): Generator<RegExpExecArray[]> {
  let cluster: RegExpExecArray[] = [];
  for (const match of matches) {
    const last = cluster.at(-1);
    if (last !== undefined && match.index - last.index > near) {
      yield cluster;
      cluster = [];
    }
    cluster.push(match);
  }
  if (cluster.length > 0) yield cluster;
}

const blank = /\s/;

function startOfWord(text: string, from: number): number {
  let at = from;
  while (at > 0 && from - at < longestWord && !blank.test(text.charAt(at - 1))) at -= 1;
  return at;
}

function endOfWord(text: string, from: number): number {
  let at = from;
  while (at < text.length && at - from < longestWord && !blank.test(text.charAt(at))) at += 1;
  return at;
}

/** A text that tells where each of its units stood before, and where its end did. */
interface Unescaped {
  readonly text: string;
  readonly offsets: Int32Array;
}

/** Writes out all escapes of a text, of whichever notations; undefined where there are none. */
export function unescape(text: string): Unescaped | undefined {
  let writer: UnitWriter | undefined;
  let at = 0;
  const copy = (to: number): void => {
    for (; at < to; at += 1) writer?.write(text.charCodeAt(at), at);
  };
  for (const { 0: written, index } of text.matchAll(anyEscape)) {
    const decoded = notationOf(written).decode(written);
    if (decoded === undefined) continue;
    writer ??= new UnitWriter(text.length);
    copy(index);
    writer.writeAll(decoded, index);
    at = index + written.length;
  }
  if (writer === undefined) return undefined;
  copy(text.length);
  const length = writer.length;
  const { text: unescaped, offsets } = writer.finish(text.length);
  return { text: unescaped, offsets: offsets.subarray(0, length + 1) };
}

/** Whether a text may hold an escape that is no usual one, or ends with the beginning of one. */
const mayBegin =
  /%(?:u?[0-9a-f]{2}|u?[0-9a-f]?$)|\\(?:[ux][{0-9a-f]|[0-3][0-7]|[ux0-3]?$)|&(?:#|[a-z]{2,14};|[a-z]{0,14}$)/i;

export function mayHoldEscapes(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === percentSign || unit === ampersand || unit === backslashSign) return mayBegin.test(text);
  }
  return false;
}

const [percentSign, ampersand, backslashSign] = [0x25, 0x26, 0x5c];

const openEscape = /(?:%u?[0-9a-f]{0,3}|\\(?:[ux]\{?[0-9a-f]{0,8}|[0-3]?[0-7]?)|&(?:#x?[0-9a-f]{0,7}|[a-z]{0,14}))$/i;
const longestEscape = 16;

/** Length of what a text ends with and what may be the beginning of an escape, or of a longer one. */
export const lengthOfOpenEscape = (text: string): number =>
  openEscape.exec(text.slice(-longestEscape))?.[0].length ?? 0;

function writeOut(text: string, start: number, end: number, { view, every, decode }: Notation) {
  const part = text.slice(start, end);
  const writer = new UnitWriter(part.length);
  const plusIsSpace = view === 'url' && !/%20|\s/.test(part);
  let at = 0;
  const copy = (to: number): void => {
    for (; at < to; at += 1) {
      const unit = part.charCodeAt(at);
      writer.write(plusIsSpace && unit === 0x2b ? 0x20 : unit, start + at);
    }
  };
  for (const match of part.matchAll(every)) {
    const decoded = decode(match[0]);
    if (decoded === undefined) continue;
    copy(match.index);
    writer.writeAll(decoded, start + at);
    at = match.index + match[0].length;
  }
  copy(part.length);
  const { text: written, offsets } = writer.finish(end);
  return mapping(view, written, offsets);
}
