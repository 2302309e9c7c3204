import type { KernelExports, KernelPlace } from '../kernel/open-kernel.ts';
import { textKernel } from '../kernel/text-kernel.ts';
import { foldTable } from './fold-table.ts';

/** Bits for what a text says about the readings that it may have. */
export const textSign = {
  percent: 4,
  backslash: 8,
  ampersand: 0x10,
  dash: 0x20,
  /** A digit, or a sign that may stand for a letter as digits do. */
  digit: 0x40,
  /** Folding may change some unit. */
  folds: 0x80,
  /** A run that may be base64, base32 or hex. */
  run: 0x100,
  /** Letters that may stand one by one. */
  spaced: 0x200,
  /** Bytes that may be spelled one by one. */
  spelled: 0x400,
  /** Three digits in a row. */
  figure: 0x800,
  /** Forty units without a space. */
  longWord: 0x1000,
  /** Some unit is no single byte. */
  wide: 0x2000,
} as const;

interface TextKernel extends KernelExports {
  readonly folds: KernelPlace;
  readonly print: KernelPlace;
  readonly mostWords: KernelPlace;
  /** `goesOn` is 1 where the text goes on, else 0. */
  read(count: number, goesOn: number): number;
}

/** Where the units of a text are, as bytes too. */
interface Room {
  readonly units: Uint16Array;
  readonly bytes: Buffer;
}

/** What reads texts, and the part of its memory in which they stand; made when the first text comes. */
interface Reader extends Room {
  readonly kernel: TextKernel;
  readonly print: Int32Array;
  readonly mostWords: Int32Array;
}

let reader: Reader | undefined;

function openReader(): Reader {
  const { exports, units } = textKernel();
  const kernel = exports as TextKernel;
  const { buffer } = kernel.memory;
  new Uint8Array(buffer, kernel.folds.value, 0x1_0000).set(foldTable().folds);
  const bytes = Buffer.from(buffer, units.byteOffset, units.byteLength);
  return {
    kernel,
    units,
    bytes,
    print: new Int32Array(buffer, kernel.print.value, 1),
    mostWords: new Int32Array(buffer, kernel.mostWords.value, 1),
  };
}

/** Longer texts stand in an array beside it, which is not kept beyond this many units. */
const mostKept = 1 << 20;

let large: Room = { units: new Uint16Array(0), bytes: Buffer.alloc(0) };

/** The text at hand, where it stands, and what it may hold: -1 until it is asked for. */
let known = '';
let { units, bytes } = large;
let signs = -1;

/**
 * The UTF-16 units of a text, and possibly more behind them: they hold until another text is asked for. Whoever
 * looks at every unit reads an array several times as fast as a text, and all who read the same text share it.
 */
export function unitsOf(text: string): Uint16Array {
  if (text === known) return units;
  ({ units, bytes } = roomFor(text.length));
  known = text;
  signs = -1;
  bytes.write(text, 0, 'utf16le');
  return units;
}

function roomFor(length: number): Room {
  reader ??= openReader();
  if (length <= reader.units.length) return reader;
  if (length > large.units.length || large.units.length > mostKept) {
    const room = new Uint16Array(length > mostKept ? length : 1 << (32 - Math.clz32(length)));
    large = { units: room, bytes: Buffer.from(room.buffer) };
  }
  return large;
}

/** The same as bytes, two for each unit, and no more of them. */
export function bytesOf(text: string): Uint8Array {
  unitsOf(text);
  return bytes.subarray(0, 2 * text.length);
}

/** What a text may hold, bits of `textSign`: without them a search for it would be in vain. */
export function signsOf(text: string): number {
  unitsOf(text);
  if (signs < 0) signs = read((reader ??= openReader()), text.length);
  return signs;
}

function read({ kernel, units: room }: Reader, length: number): number {
  if (units === room) return kernel.read(length, 0);
  let found = 0;
  for (let from = 0; from < length; from += room.length) {
    const piece = units.subarray(from, Math.min(from + room.length, length));
    room.set(piece);
    found = kernel.read(piece.length, from === 0 ? 0 : 1);
  }
  return found;
}

/** Bit of a fingerprint: some unit of the text is no single byte. */
export const wideBit = 1;

/** A number by which texts that differ are told apart, but for few that are made to have the same. */
export function fingerprintOf(text: string): number {
  const isWide = (signsOf(text) & textSign.wide) !== 0;
  return ((reader?.print[0] ?? 0) & ~wideBit) | (isWide ? wideBit : 0);
}

/** How many words, parted by spaces and breaks, a text has at most: in ASCII so many. */
export function mostWordsIn(text: string): number {
  signsOf(text);
  return reader?.mostWords[0] ?? 0;
}
