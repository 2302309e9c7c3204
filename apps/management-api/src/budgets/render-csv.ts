import { renderCsvLine } from '../csv/csv-line.ts';
import type { Report } from './report.ts';

/** One line per row of every table, with the table's title in front. */
export const renderCsv = ({ tables }: Pick<Report, 'tables'>): string =>
  tables
    .flatMap(({ title, columns, rows }) => [['section', ...columns], ...rows.map((row) => [title, ...row])])
    .map(renderCsvLine)
    .join('');
