import { decodeMorse, decodeRuns, decodeSpelledBytes } from './encoded-runs.ts';
import { backslash, decodeNotation, entity, percent } from './escapes.ts';
import { decodeLeet, mark, turnLetters, turnRound } from './disguises.ts';
import type { Emit } from './piece.ts';
import { decodeSpacedLetters } from './spaced-letters.ts';
import { sign } from './unit-signs.ts';

/** What looking for literals has met on the way. */
export interface Marks {
  /** Bits of `sign`. */
  readonly signs: number;
  /** Words of turned languages: bits of `mark`. */
  readonly bits: number;
  /** Where the first of them and the last one ends. */
  readonly first: number;
  readonly last: number;
}

/** Shorter texts hold nothing that is encoded. */
const shortest = 11;

/** Everything that a text may also say: decoded, turned, joined. Stops when `emit` wants no more. */
export function decodeViews(text: string, { signs, bits, first, last }: Marks, emit: Emit): void {
  if (text.length < shortest) return;
  const wanted =
    decodeRuns(text, emit) &&
    decodeSpacedLetters(text, emit) &&
    ((signs & sign.dash) === 0 || decodeMorse(text, emit)) &&
    decodeSpelledBytes(text, (signs & sign.digit) !== 0, emit) &&
    ((signs & sign.digit) === 0 || decodeLeet(text, emit)) &&
    ((signs & sign.percent) === 0 || decodeNotation(text, percent, emit)) &&
    ((signs & sign.backslash) === 0 || decodeNotation(text, backslash, emit)) &&
    ((signs & sign.ampersand) === 0 || !text.includes('&#') || decodeNotation(text, entity, emit));
  if (!wanted || bits === 0) return;
  if ((bits & mark.rot13) !== 0 && !turnLetters(text, first, last, emit)) return;
  if ((bits & mark.reversed) !== 0) turnRound(text, first, last, emit);
}
