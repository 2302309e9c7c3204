import { classifyResult } from '../score/result.ts';
import { categories } from '../suite/categories.ts';
import { escapeMarkup } from './escape-markup.ts';
import type { EvaluationReport, ReportResult } from './evaluation-report.ts';

/** A report as JUnit XML: a suite for each category; inconclusive results are skipped, false positives pass. */
export function renderJunitReport({ name, results, score, startedAt }: EvaluationReport): string {
  const suites = score.categories.map(({ category, total, failed, errors, inconclusive }) => {
    const own = results.filter((result) => result.category === category);
    const cases = own.map((result) => renderCase(result)).join('\n');
    return `  <testsuite name="${escapeMarkup(categories[category].title)}" tests="${total}" failures="${failed}" errors="${errors}" skipped="${inconclusive}" time="${secondsOf(own)}" timestamp="${escapeMarkup(startedAt)}">\n${cases}\n  </testsuite>`;
  });
  const { total, failed, errors, inconclusive } = score;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${escapeMarkup(name)}" tests="${total}" failures="${failed}" errors="${errors}" skipped="${inconclusive}" time="${secondsOf(results)}">
${suites.join('\n')}
</testsuites>
`;
}

const secondsOf = (results: readonly ReportResult[]): string =>
  (results.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1_000).toFixed(3);

function renderCase(result: ReportResult): string {
  const head = `    <testcase name="${escapeMarkup(`${result.testId} ${result.name}`)}" classname="guardrails.${result.category}" time="${secondsOf([result])}"`;
  const inner = renderOutcome(result);
  return inner === '' ? `${head}/>` : `${head}>\n      ${inner}\n    </testcase>`;
}

function renderOutcome(result: ReportResult): string {
  const said = [
    result.reason,
    ...result.evidence.map(({ kind, excerpt }) => `${kind}: ${excerpt}`),
    result.complianceImpact,
  ];
  const message = escapeMarkup(result.reason, 300);
  if (classifyResult(result) === 'failed')
    return `<failure type="${result.severity}" message="${message}">${escapeMarkup(said.join('\n'))}</failure>`;
  if (result.outcome === 'error')
    return `<error type="error" message="${message}">${escapeMarkup(said.join('\n'))}</error>`;
  if (result.outcome === 'inconclusive') return `<skipped message="${message}"/>`;
  return '';
}
