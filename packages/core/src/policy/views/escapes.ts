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
/** One or two are part of any address or page; a message takes more. */
const fewestSigns = 3;

const utf8 = new TextDecoder('utf-8');

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
  sign: /%[0-9a-f]{2}/gi,
  // `+` is a space only where nothing else is.
  every: /(?:%[0-9a-f]{2})+/gi,
  decode: (written) =>
    utf8.decode(Uint8Array.from(written.slice(1).split('%'), (digits) => Number.parseInt(digits, 16))),
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
  every: /&(?:#x[0-9a-f]{1,7}|#\d{1,7}|[a-z]{2,8});?/gi,
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
