import type { Sample } from '../../packages/detector-training/src/sample.ts';
import { isEnforced, type Scanner } from './scanner.ts';

/** Samples looked at, and how many of them were found at the levels of enforcement and of any finding. */
export interface Counts {
  total: number;
  enforced: number;
  found: number;
}

/** Counts by row name, in the order in which the rows first came. */
export class CountTable {
  readonly rows = new Map<string, Counts>();

  add(row: string, enforced: boolean, found: boolean): void {
    let counts = this.rows.get(row);
    if (counts === undefined) this.rows.set(row, (counts = { total: 0, enforced: 0, found: 0 }));
    counts.total += 1;
    if (enforced) counts.enforced += 1;
    if (found) counts.found += 1;
  }
}

export const percent = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;

/** Lines of a table with its columns aligned, the first to the left and the others to the right. */
export function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ');
  return [head, ...rows].map((row) => line(row).trimEnd()).join('\n');
}

/** How many of some texts were kept from passing. */
export interface Hits {
  readonly total: number;
  readonly enforced: number;
}

export const countHits = (scan: Scanner, samples: readonly Sample[]): Hits => ({
  total: samples.length,
  enforced: samples.filter((sample) => scan(sample).some(isEnforced)).length,
});

/** Of 95 %: where so many independent trials turned out so, the true share lies in there. */
const z = 1.96;

/** The interval of Wilson's, which holds for few trials and for shares near none and all, too. */
function intervalOf({ total, enforced }: Hits): readonly [low: number, high: number] {
  if (total === 0) return [0, 1];
  const share = enforced / total;
  const middle = share + z ** 2 / (2 * total);
  const spread = z * Math.sqrt((share * (1 - share)) / total + z ** 2 / (4 * total ** 2));
  const [low, high] = [middle - spread, middle + spread].map((bound) => bound / (1 + z ** 2 / total));
  return [Math.max(0, low ?? 0), Math.min(1, high ?? 1)];
}

/** A share with the number of texts it was counted in and its interval. */
export function shareCells(hits: Hits): readonly string[] {
  const [low, high] = intervalOf(hits).map((bound) => (100 * bound).toFixed(1));
  return [String(hits.total), percent(hits.enforced, hits.total), `${low}–${high}`];
}
