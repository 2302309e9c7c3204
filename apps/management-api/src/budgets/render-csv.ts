import type { Report } from './report.ts';

/** One line per row of every table, with the table's title in front. RFC 4180. */
export function renderCsv({ tables }: Pick<Report, 'tables'>): string {
  const lines = tables.flatMap(({ title, columns, rows }) => [
    ['section', ...columns],
    ...rows.map((row) => [title, ...row]),
  ]);
  return lines.map((line) => `${line.map(renderCell).join(',')}\r\n`).join('');
}

/** Spreadsheets take these at the start of a text for a formula; names come from people. */
const formulaStart = /^[=+\-@\t\r]/;

function renderCell(cell: string | number | boolean | null): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const safe = formulaStart.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
