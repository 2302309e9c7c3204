import { highestOfDistinct } from './distinct-places.ts';
import type { CleanText } from './clean-text.ts';
import { mostHashes, type Reader } from './features.ts';
import { windowSums } from './window-sums.ts';
import type { Weights } from './weights.ts';

let hashes = new Int32Array(0);

/**
 * The most that any stretch of the text speaks for an attack, from 0 to 1. What is said twice in a stretch speaks for
 * one once: otherwise a word with a little weight, or a letter that is pasted twice, would do it.
 * @param floor what comes to less may get any lower answer
 */
export function highestWindow(text: CleanText, table: Weights, reader: Reader, floor: number): number {
  const { window, least, fewest, fewestDistinct } = reader;
  if (text.length < fewest) return 0;
  const count = reader.count(text);
  if (count < fewest) return 0;
  const judged = Math.max(least, Math.min(count, window));
  const withRepeats = table.probability(reader.weigh(text, table), judged);
  // Repeats only add, and few texts come so far: only of those it is asked what is said twice.
  if (withRepeats < floor) return withRepeats;
  if (hashes.length < mostHashes(text.length)) hashes = new Int32Array(mostHashes(text.length));
  reader.hash(text.units, text.length, hashes);
  return table.probability(highestOfDistinct(hashes, windowSums, count, window, fewestDistinct), judged);
}
