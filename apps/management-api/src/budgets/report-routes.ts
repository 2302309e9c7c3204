import { getBreakdownReport, getSummaryReport, type ReportFormat } from '@portcullis/contracts/routes/budgets';
import type { Database } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { bind, type BoundRoute, type StreamedAnswer } from '@portcullis/platform/routes/bound-route';
import { renderCsv } from './render-csv.ts';
import { loadBreakdownReport, loadSummary, type Report } from './report.ts';

export const budgetReportRoutes = (database: Database): BoundRoute[] => [
  bind(getSummaryReport, async ({ query: { period, format } }) => {
    const report = await readConsistent(database, (moment) => loadSummary(moment, period, new Date()));
    return answer(report, format);
  }),
  bind(getBreakdownReport, async ({ query: { format, ...query } }) => {
    const report = await readConsistent(database, (moment) => loadBreakdownReport(moment, query, new Date()));
    return answer(report, format);
  }),
];

const renderers: Readonly<Record<ReportFormat, (report: Report) => Omit<StreamedAnswer, 'fileName'>>> = {
  json: ({ data }) => ({
    stream: once(JSON.stringify({ success: true, data })),
    contentType: 'application/json; charset=utf-8',
  }),
  csv: (report) => ({ stream: once(renderCsv(report)), contentType: 'text/csv; charset=utf-8' }),
  pdf: (report) => ({ stream: pdfOf(report), contentType: 'application/pdf' }),
};

const answer = (report: Report, format: ReportFormat): StreamedAnswer => ({
  ...renderers[format](report),
  fileName: `${report.name}.${format}`,
});

/** The library that draws pages is read for the first of them: it would take a tenth of each start. */
async function* pdfOf(report: Report): AsyncGenerator<Uint8Array, void> {
  const { renderPdf } = await import('./render-pdf.ts');
  yield* renderPdf(report);
}

async function* once(text: string): AsyncGenerator<string, void> {
  yield text;
}
