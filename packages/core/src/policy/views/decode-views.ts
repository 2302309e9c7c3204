import { decodeMorse, decodeRuns, decodeSpelledBytes } from './encoded-runs.ts';
import { backslash, decodeRareEscapes, decodeNotation, entity, percent } from './escapes.ts';
import { decodeLeet, mark, decodeRot13, decodeReversed } from './obfuscations.ts';
import type { Emit } from './piece.ts';
import { decodeSpacedLetters } from './spaced-letters.ts';
import { signsOf, textSign } from './text-units.ts';

/** What looking for literals has met on the way. */
export interface Marks {
  /** Words of turned languages: bits of `mark`. */
  readonly marks: number;
  /** Where the first of them and the last one ends. */
  readonly firstMark: number;
  readonly lastMark: number;
}

/** Finds one kind of what a text may also say. It stops when `emit` wants no more. */
export type Decoder = (text: string, marks: Marks, emit: Emit) => void;

/** Shorter texts hold nothing that is encoded. */
const shortest = 11;

/** In the order in which what they find is read, each with the signs of which a text must have one for it. */
const decoders: readonly (readonly [needs: number, decode: Decoder])[] = [
  [textSign.run, (text, _marks, emit) => decodeRuns(text, emit)],
  [textSign.spaced, (text, _marks, emit) => decodeSpacedLetters(text, emit)],
  [textSign.dash, (text, _marks, emit) => decodeMorse(text, emit)],
  [textSign.spelled | textSign.digit, (text, _marks, emit) => decodeSpelledBytes(text, emit)],
  [textSign.digit, (text, _marks, emit) => decodeLeet(text, emit)],
  [textSign.percent, (text, _marks, emit) => decodeNotation(text, percent, emit)],
  [textSign.backslash, (text, _marks, emit) => decodeNotation(text, backslash, emit)],
  [textSign.ampersand, (text, _marks, emit) => text.includes('&#') && decodeNotation(text, entity, emit)],
  [textSign.percent | textSign.backslash | textSign.ampersand, (text, _marks, emit) => decodeRareEscapes(text, emit)],
  [0, turn],
];

/** Signs that are asked for. */
const asked = decoders.reduce((all, [needs]) => all | needs, 0);

/** What decodes everything that a text with its signs may also say: decoded, joined, turned. */
export function decodersFor(text: string): readonly Decoder[] {
  if (text.length < shortest) return none;
  const signs = signsOf(text) & asked;
  let known = bySigns.get(signs);
  if (known === undefined) {
    known = decoders.flatMap(([needs, decode]) => (needs === 0 || (signs & needs) !== 0 ? [decode] : []));
    bySigns.set(signs, known);
  }
  return known;
}

const none: readonly Decoder[] = [];
const bySigns = new Map<number, readonly Decoder[]>();

function turn(text: string, { marks, firstMark, lastMark }: Marks, emit: Emit): void {
  if (marks === 0) return;
  if ((marks & mark.rot13) !== 0 && !decodeRot13(text, firstMark, lastMark, emit)) return;
  if ((marks & mark.reversed) !== 0) decodeReversed(text, firstMark, lastMark, emit);
}
