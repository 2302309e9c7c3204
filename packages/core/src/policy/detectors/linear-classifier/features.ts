import type { CleanText } from './clean-text.ts';
import type { Weights } from './weights.ts';

/*
 * What the tables look at. A feature is a hash; at each place of a text three of them end. Training
 * and scoring read texts by the same functions, so that they agree; scoring
 * weighs them at once, without writing them down, and a test holds that to the hashes.
 */

/** Writes the hashes of what ends at each place, three for each, and answers the number of places. */
export type Hash = (units: Uint16Array, length: number, hashes: Int32Array) => number;

/** So many hashes a text of a length has at most. */
export const mostHashes = (length: number): number => 3 * (length + 1);

/** How a table reads texts. */
export interface Reader {
  readonly hash: Hash;
  /** There are 2 to the power of so many weights. */
  readonly bits: number;
  /** How many places a text has. */
  readonly count: (text: CleanText) => number;
  /**
   * The highest sum of a window of what the hashes weigh, which is left in `windowSums`; a text that is shorter than one
   * is judged as a whole.
   */
  readonly weigh: (text: CleanText, table: Weights) => number;
  /** Places that are judged together. */
  readonly window: number;
  /** Shorter texts are judged as if they were so long, so that a word or two decide nothing. */
  readonly least: number;
  /** Shorter texts are not judged at all. */
  readonly fewest: number;
  /** Stretches with fewer different places are not judged either: a word again and again is no wording. */
  readonly fewestDistinct: number;
}
