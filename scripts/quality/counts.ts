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
