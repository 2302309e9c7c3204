import { highestOfDistinct } from './distinct-places.ts';
import type { CleanText } from './clean-text.ts';
import { mostHashes, type Hash, type Weigh } from './features.ts';
import type { WeightTable } from './weight-table.ts';

/** How a table reads texts. */
export interface Reader {
  readonly hash: Hash;
  /** The same as adding up what the hashes weigh, faster. */
  readonly weigh: Weigh;
  /** Places that are judged together. */
  readonly window: number;
  /** Shorter texts are judged as if they were so long, so that a word or two decide nothing. */
  readonly least: number;
  /** Shorter texts are not judged at all. */
  readonly fewest: number;
  /** Stretches with fewer different places are not judged either: a word again and again is no wording. */
  readonly fewestDistinct: number;
}

let sums = new Int32Array(0);
let hashes = new Int32Array(0);

/**
 * The most that any stretch of the text speaks for an attack, from 0 to 1. What is said twice in a stretch speaks for
 * one once: otherwise a word with a little weight, or a letter that is pasted twice, would do it.
 * @param floor what comes to less may get any lower answer
 */
export function highestWindow(text: CleanText, table: WeightTable, reader: Reader, floor: number): number {
  const { hash, weigh, window, least, fewest, fewestDistinct } = reader;
  const { units, length } = text;
  if (length < fewest) return 0;
  if (sums.length <= length) sums = new Int32Array(length + 1);
  const count = weigh(text, table, sums);
  if (count < fewest) return 0;
  const judged = Math.max(least, Math.min(count, window));
  const withRepeats = table.probability(slide(count, window), judged);
  // Repeats only add, and few texts come so far: only of those it is asked what is said twice.
  if (withRepeats < floor) return withRepeats;
  if (hashes.length < mostHashes(length)) hashes = new Int32Array(mostHashes(length));
  hash(units, length, hashes);
  return table.probability(highestOfDistinct(hashes, sums, count, window, fewestDistinct), judged);
}

/** The highest sum of a window; a text that is shorter than one is judged as a whole. */
function slide(count: number, window: number): number {
  const weighed = sums;
  let sum = 0;
  for (let place = 0; place < Math.min(count, window); place += 1) sum += weighed[place] as number;
  let highest = sum;
  for (let place = window; place < count; place += 1) {
    sum += (weighed[place] as number) - (weighed[place - window] as number);
    if (sum > highest) highest = sum;
  }
  return highest;
}
