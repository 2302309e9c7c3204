import { getEvaluationReport, type EvaluationReportFormat } from '@portcullis/contracts/routes/evaluations';
import type { EvaluationReport } from '@portcullis/core/evaluation/report/evaluation-report';
import { renderHtmlReport } from '@portcullis/core/evaluation/report/render-html';
import { renderJsonReport } from '@portcullis/core/evaluation/report/render-json';
import { renderJunitReport } from '@portcullis/core/evaluation/report/render-junit';
import { renderSarifReport } from '@portcullis/core/evaluation/report/render-sarif';
import { rateResults } from '@portcullis/core/evaluation/score/rate-results';
import type { Queryable } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { loadReportResults } from '../results/result-queries.ts';
import { findEvaluationOrThrow, type CountedEvaluation } from '../evaluations/evaluation-queries.ts';

interface Rendering {
  readonly contentType: string;
  /** Of the file as it is saved. */
  readonly ending: string;
  render(report: EvaluationReport): string | Promise<Uint8Array>;
}

const renderings: Readonly<Record<EvaluationReportFormat, Rendering>> = {
  html: { contentType: 'text/html; charset=utf-8', ending: 'html', render: renderHtmlReport },
  pdf: { contentType: 'application/pdf', ending: 'pdf', render: renderPdf },
  json: { contentType: 'application/json; charset=utf-8', ending: 'json', render: renderJsonReport },
  junit: { contentType: 'application/xml; charset=utf-8', ending: 'xml', render: renderJunitReport },
  sarif: { contentType: 'application/sarif+json; charset=utf-8', ending: 'sarif', render: renderSarifReport },
};

/** The library that draws pages is read for the first of them: it would take a tenth of each start. */
async function renderPdf(report: EvaluationReport): Promise<Uint8Array> {
  const { renderPdfReport } = await import('@portcullis/platform/evaluation/render-pdf-report');
  return renderPdfReport(report);
}

/** Reports of what an evaluation has come to so far, with the marks of reviewers as they are now. */
export const reportRoutes = (database: Queryable): BoundRoute[] => [
  bind(getEvaluationReport, async ({ params, query }) => {
    const report = await readConsistent(database, (moment) => loadReport(moment, params.id));
    const { contentType, ending, render } = renderings[query.format];
    return {
      stream: once(await render(report)),
      contentType,
      // Saved, and not shown: a page of this origin could use what a browser has of it.
      fileName: `evaluation-${params.id}.${ending}`,
    };
  }),
];

async function loadReport(moment: Queryable, id: number): Promise<EvaluationReport> {
  const row = await findEvaluationOrThrow(moment, id);
  const results = await loadReportResults(moment, id);
  const score = rateResults(results, row.total_tests);
  return {
    evaluationId: String(row.id),
    name: row.name,
    endpoint: row.target_name,
    suiteVersion: row.suite_version,
    startedAt: row.started_at.toISOString(),
    finishedAt: (row.finished_at ?? new Date()).toISOString(),
    score: row.status === 'failed' ? { ...score, rating: failedBecause(row, score.rating.reasons) } : score,
    results,
  };
}

const failedBecause = ({ reason }: CountedEvaluation, others: readonly string[]) =>
  ({ state: 'failed', band: null, reasons: reason === null ? others : [reason] }) as const;

async function* once(content: string | Uint8Array): AsyncGenerator<string | Uint8Array, void> {
  yield content;
}
