import { mostHashes, type Hash } from './features.ts';
import { slotOf, type WeightTable } from './weight-table.ts';

/** How a table reads texts. */
export interface Reader {
  readonly hash: Hash;
  /** Places that are judged together. */
  readonly window: number;
  /** Shorter texts are judged as if they were so long, so that a word or two decide nothing. */
  readonly least: number;
  /** Shorter texts are not judged at all. */
  readonly fewest: number;
}

let hashes = new Int32Array(0);
let sums = new Int32Array(0);

/** The most that any stretch of the text speaks for an attack, from 0 to 1. */
export function highestWindow(units: Uint16Array, length: number, table: WeightTable, reader: Reader): number {
  const { window, least, fewest } = reader;
  if (hashes.length < mostHashes(length)) hashes = new Int32Array(mostHashes(length));
  const count = reader.hash(units, length, hashes);
  if (count < fewest) return 0;
  if (sums.length < count) sums = new Int32Array(count);
  const highest = slide(count, window, table);
  return table.probability(highest, Math.max(least, Math.min(count, window)));
}

/** The highest sum of a window; a text that is shorter than one is judged as a whole. */
function slide(count: number, window: number, { weights, shift }: WeightTable): number {
  let sum = 0;
  let highest = -Infinity;
  for (let place = 0; place < count; place += 1) {
    const at = 3 * place;
    const weight =
      (weights[slotOf(hashes[at] as number, shift)] as number) +
      (weights[slotOf(hashes[at + 1] as number, shift)] as number) +
      (weights[slotOf(hashes[at + 2] as number, shift)] as number);
    sums[place] = weight;
    sum += weight;
    if (place >= window) sum -= sums[place - window] as number;
    if (place >= window - 1 && sum > highest) highest = sum;
  }
  return count < window ? sum : highest;
}
