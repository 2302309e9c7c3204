import type { visitWords } from './features.ts';
import type { WeightTable } from './weight-table.ts';

/** How a table reads texts. */
export interface Reader {
  readonly visit: typeof visitWords;
  /** Places that are judged together. */
  readonly window: number;
  /** Shorter texts are judged as if they were so long, so that a word or two decide nothing. */
  readonly least: number;
  /** Shorter texts are not judged at all. */
  readonly fewest: number;
}

/** The most that any stretch of the text speaks for an attack, from 0 to 1. */
export function highestWindow(text: string, table: WeightTable, { visit, window, least, fewest }: Reader): number {
  const sums = new Int32Array(window);
  let sum = 0;
  let count = 0;
  let highest = -Infinity;
  visit(text, (first, second, third) => {
    const place = count % window;
    const weight = table.weight(first) + table.weight(second) + table.weight(third);
    sum += weight - (sums[place] as number);
    sums[place] = weight;
    count += 1;
    // A text that is shorter than a window is judged once, at its end.
    if (count >= window && sum > highest) highest = sum;
  });
  if (count < window) highest = sum;
  return count < fewest ? 0 : table.probability(highest, Math.max(least, Math.min(count, window)));
}
