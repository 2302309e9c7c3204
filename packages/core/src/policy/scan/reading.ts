import type { Piece } from '../views/piece.ts';
import type { View } from '../policy.ts';

/** How often a decoded text is decoded again. */
export const maxDepth = 2;

/** One reading of the text: as it is, folded, or what a decoder made of a part. */
export interface Reading {
  readonly view: View;
  readonly text: string;
  readonly exact: boolean;
  readonly depth: number;
  /** The place in the text that is scanned; undefined where they are the same. */
  readonly locate: Piece['locate'] | undefined;
}

/** What stands in a reading, decoded. */
export function readingOf(reading: Reading, piece: Piece): Reading {
  // Digits are part of what encoders write: letters in their place decode to anything.
  return readingWithin(reading, piece, piece.view === 'leet' ? maxDepth : reading.depth + 1);
}

/** The same for a piece at another depth. */
export function readingWithin(reading: Reading, { view, text, exact, locate }: Piece, depth: number): Reading {
  const outer = reading.locate;
  const inner: Piece['locate'] = outer === undefined ? locate : (start, end) => outer(...locate(start, end));
  return { view, text, depth, exact: exact && reading.exact, locate: inner };
}
