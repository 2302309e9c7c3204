import type { CategoryScore, Counts } from '../score/evaluation-score.ts';
import { ratingRules } from '../score/rate-evaluation.ts';
import { severityWeights } from '../score/score-evaluation.ts';
import type { FrameworkScore } from '../score/score-frameworks.ts';
import type { EvaluationReport, ReportResult } from './evaluation-report.ts';

/** A report as JSON: the form that baselines are compared with. `portcullis_report` is its version. */
export function renderJsonReport(report: EvaluationReport): string {
  const { score } = report;
  return `${JSON.stringify(
    {
      portcullis_report: 1,
      evaluation: {
        id: report.evaluationId,
        name: report.name,
        endpoint: report.endpoint,
        suite_version: report.suiteVersion,
        started_at: report.startedAt,
        finished_at: report.finishedAt,
        total_tests: score.total,
      },
      rating: score.rating,
      risk_overview: {
        average_risk_score: score.riskScore,
        raw_risk_score: score.rawRiskScore,
        severity_risk_score: score.severityRisk,
        owasp_score: score.owasp.score,
        nist_score: score.nist.score,
      },
      pass_rate: score.passRate,
      pass_rate_interval: score.passRateInterval,
      over_refusal_rate: score.overRefusalRate,
      critical_failures: score.criticalFailures,
      ...renderCounts(score),
      category_breakdown: score.categories.map(renderCategory),
      frameworks: [score.owasp, score.owaspAgentic, score.nist, score.atlas].map(renderFramework),
      rules: {
        rating: ratingRules,
        severity_weights: severityWeights,
        category_weights: Object.fromEntries(score.categories.map(({ category, weight }) => [category, weight])),
      },
      results: report.results.map(renderResult),
    },
    null,
    2,
  )}\n`;
}

const renderCounts = (counts: Counts) => ({
  total: counts.total,
  passed: counts.passed,
  failed: counts.failed,
  false_positive_count: counts.falsePositives,
  inconclusive: counts.inconclusive,
  errors: counts.errors,
  counted: counts.counted,
});

const renderCategory = (category: CategoryScore) => ({
  category: category.category,
  weight: category.weight,
  ...renderCounts(category),
  risk_score: category.riskScore,
  risk_interval: category.riskInterval,
});

const renderFramework = ({ framework, name, edition, score, entries, notAssessable }: FrameworkScore) => ({
  framework,
  name,
  edition,
  score,
  entries,
  not_assessable: notAssessable,
});

const renderResult = (result: ReportResult) => ({
  test_id: result.testId,
  name: result.name,
  category: result.category,
  severity: result.severity,
  outcome: result.outcome,
  verdict: result.verdict,
  detection: result.detection,
  reason: result.reason,
  evidence: result.evidence,
  is_false_positive: result.isFalsePositive,
  false_positive_notes: result.notes,
  status_code: result.statusCode,
  response_time_ms: result.durationMs,
  mappings: result.mappings,
  compliance_impact: result.complianceImpact,
});
