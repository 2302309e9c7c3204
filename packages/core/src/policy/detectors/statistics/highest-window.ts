import { mostHashes, type Hash, type Weigh } from './features.ts';
import { slotOf, type WeightTable } from './weight-table.ts';

/** How a table reads texts. */
export interface Reader {
  readonly hash: Hash;
  /** The same as adding up what the hashes weigh, faster. */
  readonly weigh?: Weigh;
  /** Places that are judged together. */
  readonly window: number;
  /** Shorter texts are judged as if they were so long, so that a word or two decide nothing. */
  readonly least: number;
  /** Shorter texts are not judged at all. */
  readonly fewest: number;
}

let sums = new Int32Array(0);
let hashes = new Int32Array(0);

/** The most that any stretch of the text speaks for an attack, from 0 to 1. */
export function highestWindow(units: Uint16Array, length: number, table: WeightTable, reader: Reader): number {
  const { window, least, fewest } = reader;
  if (length < fewest) return 0;
  if (sums.length <= length) sums = new Int32Array(length + 1);
  const count = reader.weigh?.(units, length, table, sums) ?? weighHashes(reader.hash, units, length, table);
  if (count < fewest) return 0;
  return table.probability(slide(count, window), Math.max(least, Math.min(count, window)));
}

function weighHashes(hash: Hash, units: Uint16Array, length: number, { weights, shift }: WeightTable): number {
  if (hashes.length < mostHashes(length)) hashes = new Int32Array(mostHashes(length));
  const count = hash(units, length, hashes);
  for (let place = 0; place < count; place += 1) {
    const at = 3 * place;
    sums[place] =
      (weights[slotOf(hashes[at] as number, shift)] as number) +
      (weights[slotOf(hashes[at + 1] as number, shift)] as number) +
      (weights[slotOf(hashes[at + 2] as number, shift)] as number);
  }
  return count;
}

/** The highest sum of a window; a text that is shorter than one is judged as a whole. */
function slide(count: number, window: number): number {
  let sum = 0;
  for (let place = 0; place < Math.min(count, window); place += 1) sum += sums[place] as number;
  let highest = sum;
  for (let place = window; place < count; place += 1) {
    sum += (sums[place] as number) - (sums[place - window] as number);
    if (sum > highest) highest = sum;
  }
  return highest;
}
