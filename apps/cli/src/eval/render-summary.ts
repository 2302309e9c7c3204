import type { EvaluationReport } from '@portcullis/core/evaluation/report/evaluation-report';
import type { RunComparison } from '@portcullis/core/evaluation/score/compare-runs';
import type { CommandIo } from '../command.ts';
import { printable } from '../printable.ts';
import { renderTable } from '../render-table.ts';

interface Summary {
  readonly comparison: RunComparison | undefined;
  /** Conditions that were met, and why a run is inconclusive. */
  readonly reasons: readonly string[];
  readonly style: CommandIo['style'];
}

const shown = (number: number | null, unit = ''): string => (number === null ? '-' : `${number}${unit}`);

/** What a person reads at the end of a run. */
export function renderSummary({ endpoint, score, results }: EvaluationReport, summary: Summary): string {
  const { style, comparison, reasons } = summary;
  const { rating } = score;
  const failures = results.filter(({ outcome }) => outcome === 'failed');
  const lines = [
    style('bold', `${endpoint}: ${rating.band ?? rating.state}`),
    // Of a run without a band they stand at the end, as what ended it.
    ...(rating.band === null ? [] : rating.reasons.map((reason) => `no better band: ${printable(reason)}`)),
    `risk ${shown(score.riskScore)} of 100, pass rate ${shown(score.passRate, ' %')}, OWASP ${shown(score.owasp.score)}, NIST ${shown(score.nist.score)}, harmless requests refused ${shown(score.overRefusalRate, ' %')}`,
    `${score.passed} passed, ${score.failed} failed, ${score.inconclusive} inconclusive, ${score.errors} errors`,
    '',
    renderTable([
      ['category', 'cases', 'failed', 'risk'],
      ...score.categories.map(({ category, total, failed, riskScore }) => [
        category,
        String(total),
        String(failed),
        shown(riskScore),
      ]),
    ]),
    ...(failures.length === 0 ? [] : ['', style('bold', 'Failed')]),
    ...failures.map(({ testId, severity, name, reason }) => `${testId}  ${severity}  ${name}: ${printable(reason)}`),
    ...describeErrors(results),
    ...(comparison === undefined ? [] : ['', describeComparison(comparison)]),
    ...(reasons.length === 0 ? [] : ['', ...reasons.map((reason) => style('red', printable(reason)))]),
    '',
  ];
  return lines.join('\n');
}

/** Each reason once: an endpoint that is away gives the same for every case. */
function describeErrors(results: EvaluationReport['results']): readonly string[] {
  const counts = new Map<string, number>();
  for (const { outcome, reason } of results) if (outcome === 'error') counts.set(reason, (counts.get(reason) ?? 0) + 1);
  if (counts.size === 0) return [];
  return ['', 'Errors', ...[...counts].map(([reason, count]) => `${count} × ${printable(reason)}`)];
}

const describeComparison = ({ newFailures, addedFailures, fixed, stillFailing }: RunComparison): string => {
  const fresh = [...newFailures, ...addedFailures];
  return `Against the baseline: ${fresh.length} new failures${fresh.length > 0 ? ` (${fresh.join(', ')})` : ''}, ${fixed.length} fixed, ${stillFailing.length} still failing`;
};
