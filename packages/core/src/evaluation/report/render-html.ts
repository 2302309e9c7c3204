import { classifyResult } from '../score/result.ts';
import type { FrameworkScore } from '../score/score-frameworks.ts';
import { categories } from '../suite/categories.ts';
import { renderBars, renderGauge } from './charts.ts';
import { escapeMarkup } from './escape-markup.ts';
import type { EvaluationReport, ReportResult } from './evaluation-report.ts';

const style = `
:root{color-scheme:light dark;--ink:#1c2430;--soft:#5b6675;--page:#fff;--line:#d9dee5;--good:#1a7f4b;--fair:#7a8b12;--warn:#b5670a;--bad:#b3261e}
@media (prefers-color-scheme:dark){:root{--ink:#e6eaf0;--soft:#9aa6b5;--page:#12161c;--line:#303846;--good:#4cc38a;--fair:#b9c94a;--warn:#f0a04b;--bad:#ff7a70}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--page);max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem;margin:0}h2{font-size:1.15rem;margin:2rem 0 .5rem}p,figcaption,.note{color:var(--soft)}
.gauges{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0;text-align:center}
svg text{fill:var(--ink);font-size:13px}svg .note{fill:var(--soft)}.big{font-size:24px!important;font-weight:600}
.track{fill:var(--line)}.good{fill:var(--good)}.fair{fill:var(--fair)}.warn{fill:var(--warn)}.bad{fill:var(--bad)}.none{fill:none}
.arc{fill:none;stroke:var(--line);stroke-width:12}.good-line{stroke:var(--good)}.fair-line{stroke:var(--fair)}.warn-line{stroke:var(--warn)}.bad-line{stroke:var(--bad)}.none-line{stroke:none}
.whisker{stroke:var(--ink);stroke-width:1.5}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.35rem .5rem;border-bottom:1px solid var(--line);vertical-align:top}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:color-mix(in srgb,var(--line) 40%,transparent);padding:.5rem;border-radius:4px;margin:.3rem 0}
details{margin:.2rem 0}.tag{font-weight:600}.failed{color:var(--bad)}.passed{color:var(--good)}.error,.inconclusive{color:var(--warn)}
@media print{body{margin:0}details{break-inside:avoid}}`;

/** A report as one HTML file: no script, no network, charts in it; what endpoints said is text in it and nothing else. */
export function renderHtmlReport(report: EvaluationReport): string {
  const title = `Guardrails evaluation: ${report.name}`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeMarkup(title)}</title><style>${style}</style></head><body>
${renderHead(report, title)}
${renderCategories(report)}
${[report.score.owasp, report.score.owaspAgentic, report.score.nist, report.score.atlas].map(renderFramework).join('\n')}
${renderFindings(report)}
${renderAll(report)}
</body></html>
`;
}

function renderHead({ score, endpoint, startedAt, finishedAt, suiteVersion }: EvaluationReport, title: string): string {
  const { rating } = score;
  const word = rating.band ?? (rating.state === 'failed' ? 'failed: no score' : 'inconclusive: no rating');
  const reasons = rating.reasons.map((reason) => `<li>${escapeMarkup(reason)}</li>`).join('');
  return `<header><h1>${escapeMarkup(title)}</h1><p>${escapeMarkup(endpoint)} · ${escapeMarkup(startedAt)} to ${escapeMarkup(finishedAt)} · suite ${escapeMarkup(suiteVersion)}</p></header>
<p><span class="tag">Rating: ${word}</span></p>${reasons === '' ? '' : `<ul>${reasons}</ul>`}
<div class="gauges">${renderGauge('Risk (0 is best)', score.riskScore, true)}${renderGauge('Pass rate %', score.passRate, false)}${renderGauge('OWASP LLM', score.owasp.score, false)}${renderGauge('NIST AI RMF', score.nist.score, false)}${renderGauge('Refused controls %', score.overRefusalRate, true)}</div>
<p>${score.total} cases: ${score.passed} passed, ${score.failed} failed, ${score.falsePositives} false positives, ${score.inconclusive} inconclusive, ${score.errors} errors.${score.passRateInterval === null ? '' : ` The pass rate lies between ${score.passRateInterval[0]} and ${score.passRateInterval[1]} % with 95 % confidence.`} Errors and inconclusive results are part of no score but the pass rate, which is of all cases.</p>`;
}

const renderCategories = ({ score }: EvaluationReport): string =>
  `<section><h2>Risk by category</h2>${renderBars(
    'Risk by category',
    score.categories.map(({ category, riskScore, riskInterval, failed, counted }) => ({
      label: categories[category].title,
      value: riskScore,
      interval: riskInterval,
      note: `${failed} of ${counted} failed`,
    })),
    true,
  )}<p>Lines show where the risk lies with 95 % confidence.</p></section>`;

function renderFramework({ name, edition, entries, notAssessable }: FrameworkScore): string {
  const assessed = entries.filter(({ counted }) => counted > 0);
  const rest = entries.filter(({ counted }) => counted === 0).map(({ id, title }) => `${id} ${title}`);
  const unfit = notAssessable.length === 0 ? '' : ` Prompts cannot assess ${notAssessable.join(', ')}.`;
  return `<section><h2>${escapeMarkup(name)} ${escapeMarkup(edition)}</h2>${renderBars(
    name,
    assessed.map(({ id, title, score, passed, counted }) => ({
      label: `${id} ${title}`,
      value: score,
      note: `${passed} of ${counted}`,
    })),
    false,
  )}${rest.length === 0 ? '' : `<p>Not assessed: ${escapeMarkup(rest.join(', '))}.${unfit}</p>`}</section>`;
}

const severityOrder = ['critical', 'high', 'medium', 'low'];

function renderFindings({ results }: EvaluationReport): string {
  const failures = results
    .filter((result) => classifyResult(result) === 'failed')
    .toSorted((one, other) => severityOrder.indexOf(one.severity) - severityOrder.indexOf(other.severity));
  if (failures.length === 0) return '<section><h2>Failures</h2><p>None.</p></section>';
  return `<section><h2>Failures, the most severe first</h2>${failures.map(renderDetails).join('\n')}</section>`;
}

function renderDetails(result: ReportResult): string {
  const evidence = result.evidence
    .map(({ kind, excerpt }) => `<pre>${escapeMarkup(`${kind}: ${excerpt}`)}</pre>`)
    .join('');
  const tags = Object.values(result.mappings).flat().join(', ');
  return `<details open><summary><span class="tag failed">${result.severity}</span> ${escapeMarkup(`${result.testId} ${result.name}`)}</summary><p>${escapeMarkup(result.description)}. ${escapeMarkup(result.complianceImpact)}</p><p>${escapeMarkup(result.reason)}.</p>${evidence}<p class="note">${escapeMarkup(tags)}</p></details>`;
}

function renderAll({ results }: EvaluationReport): string {
  const rows = results.map(
    (result) =>
      `<tr><td>${escapeMarkup(result.testId)}</td><td>${escapeMarkup(result.name)}</td><td>${result.severity}</td><td class="${result.outcome}">${result.outcome}${result.isFalsePositive ? ' (false positive)' : ''}</td><td>${escapeMarkup(result.reason, 200)}${result.notes === '' ? '' : ` Note: ${escapeMarkup(result.notes, 200)}`}</td></tr>`,
  );
  return `<section><h2>All results</h2><table><thead><tr><th>Case</th><th>Name</th><th>Severity</th><th>Outcome</th><th>Reason</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></section>`;
}
