import type { EvaluationSeverity } from '@portcullis/contracts/evaluation-case';
import { createHash } from 'node:crypto';
import { classifyResult } from '../score/result.ts';
import type { EvaluationReport, ReportResult } from './evaluation-report.ts';

const levels: Readonly<Record<EvaluationSeverity, string>> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
};
/** As code scanning reads them: from 9 critical, from 7 high, from 4 medium. */
const securitySeverities: Readonly<Record<EvaluationSeverity, string>> = {
  critical: '9.5',
  high: '8.0',
  medium: '5.5',
  low: '2.0',
};

/** A report as SARIF 2.1.0: each failure is a result, a false positive a suppressed one. Errors are notifications of the run. */
export function renderSarifReport(report: EvaluationReport): string {
  const failures = report.results.filter(({ outcome }) => outcome === 'failed');
  const errors = report.results.filter(({ outcome }) => outcome === 'error');
  const ids = [...new Set(failures.map(({ testId }) => testId))];
  return `${JSON.stringify(
    {
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [
        {
          tool: {
            driver: {
              name: 'Portcullis guardrails evaluation',
              semanticVersion: `${report.suiteVersion}.0.0`,
              rules: ids.flatMap((id) => failures.find(({ testId }) => testId === id) ?? []).map(renderRule),
            },
          },
          invocations: [
            {
              executionSuccessful: report.score.rating.state !== 'failed',
              startTimeUtc: report.startedAt,
              endTimeUtc: report.finishedAt,
              toolExecutionNotifications: errors.map(({ testId, reason }) => ({
                level: 'warning',
                message: { text: plain(`${testId}: ${reason}`) },
              })),
            },
          ],
          results: failures.map((result) => renderResult(report, result, ids.indexOf(result.testId))),
          properties: { risk_score: report.score.riskScore, rating: report.score.rating.band },
        },
      ],
    },
    null,
    2,
  )}\n`;
}

const renderRule = (result: ReportResult) => ({
  id: result.testId,
  name: result.name,
  shortDescription: { text: result.name },
  fullDescription: { text: result.description },
  help: { text: result.complianceImpact },
  defaultConfiguration: { level: levels[result.severity] },
  properties: {
    'security-severity': securitySeverities[result.severity],
    tags: ['security', result.category, ...Object.values(result.mappings).flat()],
  },
});

const renderResult = (report: EvaluationReport, result: ReportResult, ruleIndex: number) => ({
  ruleId: result.testId,
  ruleIndex,
  level: levels[result.severity],
  message: { text: plain([result.reason, ...result.evidence.map(({ excerpt }) => excerpt)].join('\n')) },
  // Code scanning wants a place; an endpoint has none in a repository.
  locations: [
    {
      physicalLocation: { artifactLocation: { uri: uriOf(report.endpoint) }, region: { startLine: 1 } },
      logicalLocations: [{ name: report.endpoint, kind: 'resource' }],
    },
  ],
  partialFingerprints: {
    'portcullisCase/v1': createHash('sha256').update(`${result.testId}\n${report.endpoint}`).digest('hex'),
  },
  ...(classifyResult(result) === 'passed' && {
    suppressions: [{ kind: 'external', status: 'accepted', justification: plain(result.notes) }],
  }),
});

const uriOf = (endpoint: string): string => `endpoints/${encodeURIComponent(endpoint.slice(0, 200).toWellFormed())}`;

/** Markdown and links of endpoints stay text: `[` begins a link in messages of SARIF. */
const plain = (text: string): string =>
  text
    .slice(0, 1_000)
    .toWellFormed()
    .replaceAll(/[[\]\\]/g, (char) => `\\${char}`);
