import type { EvaluationReport, ReportResult } from '@portcullis/core/evaluation/report/evaluation-report';
import { classifyResult } from '@portcullis/core/evaluation/score/result';
import type { FrameworkScore } from '@portcullis/core/evaluation/score/score-frameworks';
import { categories } from '@portcullis/core/evaluation/suite/categories';
import { runTimeSliced } from '../event-loop/run-time-sliced.ts';
import { latinText } from '../pdf/latin-text.ts';
import { PdfPage, type PdfBar } from '../pdf/pdf-page.ts';

/** Failures that are shown with their evidence; all of them stand in the table at the end. */
const mostFailures = 200;
const mostEvidence = 3;
const severityOrder = ['critical', 'high', 'medium', 'low'];

/**
 * A report as a PDF file: pages of A4 with a title, scores, categories, frameworks, failures, and all results at the end. Drawn in
 * slices: who serves it goes on meanwhile.
 */
export async function renderPdfReport(report: EvaluationReport): Promise<Uint8Array> {
  const page = new PdfPage(`Guardrails evaluation: ${report.name}`);
  await runTimeSliced(drawReport(page, report));
  return page.finish(`${latinText(report.endpoint, 60)} · ${report.finishedAt}`);
}

function* drawReport(page: PdfPage, report: EvaluationReport): Generator<undefined, void> {
  drawHead(page, report);
  page.heading('Risk by category');
  page.bars(categoryBars(report), true);
  page.note('Lines show where the risk lies with 95 % confidence.');
  yield;
  const { owasp, owaspAgentic, nist, atlas } = report.score;
  for (const framework of [owasp, owaspAgentic, nist, atlas]) drawFramework(page, framework);
  yield;
  yield* drawFailures(page, report);
  yield* drawAppendix(page, report);
}

function drawHead(
  page: PdfPage,
  { name, endpoint, startedAt, finishedAt, suiteVersion, score }: EvaluationReport,
): void {
  page.title(`Guardrails evaluation: ${latinText(name, 200)}`);
  page.note(`${latinText(endpoint, 200)} · ${startedAt} to ${finishedAt} · suite ${suiteVersion}`);
  const { rating } = score;
  page.strong(`Rating: ${rating.band ?? (rating.state === 'failed' ? 'failed: no score' : 'inconclusive: no rating')}`);
  for (const reason of rating.reasons) page.text(`• ${latinText(reason, 500)}`);
  page.scores([
    { label: 'Risk (0 is best)', value: score.riskScore, isRisk: true },
    { label: 'Pass rate %', value: score.passRate, isRisk: false },
    { label: 'OWASP LLM', value: score.owasp.score, isRisk: false },
    { label: 'NIST AI RMF', value: score.nist.score, isRisk: false },
    { label: 'Refused controls %', value: score.overRefusalRate, isRisk: true },
  ]);
  const interval = score.passRateInterval;
  page.text(
    `${score.total} cases: ${score.passed} passed, ${score.failed} failed, ${score.falsePositives} false positives, ${score.inconclusive} inconclusive, ${score.errors} errors.${interval === null ? '' : ` The pass rate lies between ${interval[0]} and ${interval[1]} % with 95 % confidence.`} Errors and inconclusive results are part of no score but the pass rate, which is of all cases.`,
  );
}

const categoryBars = ({ score }: EvaluationReport): readonly PdfBar[] =>
  score.categories.map(({ category, riskScore, riskInterval, failed, counted }) => ({
    label: categories[category].title,
    value: riskScore,
    interval: riskInterval,
    note: `${failed} of ${counted} failed`,
  }));

function drawFramework(page: PdfPage, { name, edition, entries, notAssessable }: FrameworkScore): void {
  const assessed = entries.filter(({ counted }) => counted > 0);
  const rest = entries.filter(({ counted }) => counted === 0).map(({ id, title }) => `${id} ${title}`);
  page.heading(`${name} ${edition}`);
  page.bars(
    assessed.map(({ id, title, score, passed, counted }) => ({
      label: `${id} ${title}`,
      value: score,
      interval: null,
      note: `${passed} of ${counted}`,
    })),
    false,
  );
  const unfit = notAssessable.length === 0 ? '' : ` Prompts cannot assess ${notAssessable.join(', ')}.`;
  if (rest.length > 0) page.note(`Not assessed: ${rest.join(', ')}.${unfit}`);
}

function* drawFailures(page: PdfPage, { results }: EvaluationReport): Generator<undefined, void> {
  const failures = results
    .filter((result) => classifyResult(result) === 'failed')
    .toSorted((one, other) => severityOrder.indexOf(one.severity) - severityOrder.indexOf(other.severity));
  page.heading('Failures, the most severe first');
  if (failures.length === 0) page.text('None.');
  for (const failure of failures.slice(0, mostFailures)) {
    drawFailure(page, failure);
    yield;
  }
  if (failures.length > mostFailures)
    page.note(`${failures.length - mostFailures} more are in the table of all results.`);
}

function drawFailure(page: PdfPage, result: ReportResult): void {
  page.strong(`${result.severity.toUpperCase()}  ${result.testId}  ${latinText(result.name, 200)}`, 'bad');
  page.text(latinText([result.description, result.complianceImpact].filter((one) => one !== '').join('. '), 1_000));
  page.text(latinText(`${result.reason}.`, 1_000));
  for (const { kind, excerpt } of result.evidence.slice(0, mostEvidence))
    page.quote(latinText(`${kind}: ${excerpt}`, 1_000));
  page.note(Object.values(result.mappings).flat().join(', '));
}

function* drawAppendix(page: PdfPage, { results }: EvaluationReport): Generator<undefined, void> {
  page.heading('Appendix: all results');
  yield* page.table(
    [
      { title: 'Case', share: 0.12 },
      { title: 'Name', share: 0.26 },
      { title: 'Severity', share: 0.1 },
      { title: 'Outcome', share: 0.14 },
      { title: 'Reason', share: 0.38 },
    ],
    results.map((result) => [
      result.testId,
      latinText(result.name, 200),
      result.severity,
      `${result.outcome}${result.isFalsePositive ? ' (false positive)' : ''}`,
      latinText(`${result.reason}${result.notes === '' ? '' : ` Note: ${result.notes}`}`, 300),
    ]),
  );
}
