import type { EvaluationDashboard } from '@portcullis/contracts/evaluation';
import {
  compareEvaluations,
  getEvaluationDashboard,
  getEvaluationTrend,
  type EvaluationComparison,
} from '@portcullis/contracts/routes/evaluations';
import { compareRuns } from '@portcullis/core/evaluation/score/compare-runs';
import type { CategoryScore, EvaluationScore } from '@portcullis/core/evaluation/score/evaluation-score';
import type { ReportResult } from '@portcullis/core/evaluation/report/evaluation-report';
import { rateResults } from '@portcullis/core/evaluation/score/rate-results';
import { riskTrend } from '@portcullis/core/evaluation/score/risk-trend';
import type { FrameworkScore } from '@portcullis/core/evaluation/score/score-frameworks';
import { categories } from '@portcullis/core/evaluation/suite/categories';
import type { Queryable } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { averageResponseMs, loadReportResults } from '../results/result-queries.ts';
import { findEvaluationOrThrow, loadTrend, type CountedEvaluation } from '../evaluations/evaluation-queries.ts';
import { renderEvaluation } from '../evaluations/render-evaluation.ts';

export const analysisRoutes = (database: Queryable): BoundRoute[] => [
  bindDashboard(database),
  bindCompare(database),
  bindTrend(database),
];

const bindDashboard = (database: Queryable): BoundRoute =>
  bind(getEvaluationDashboard, ({ params }) =>
    readConsistent(database, async (moment) => {
      const row = await findEvaluationOrThrow(moment, params.id);
      const score = rateResults(await loadReportResults(moment, row.id), row.total_tests);
      return { data: renderDashboard(row, score, await averageResponseMs(moment, row.id)) };
    }),
  );

/** An evaluation that has failed has results, and no score. */
function renderDashboard(
  row: CountedEvaluation,
  score: EvaluationScore,
  averageMs: number | null,
): EvaluationDashboard {
  const isScored = score.rating.state !== 'failed' && row.status !== 'failed';
  const known = <Value>(value: Value): Value | null => (isScored ? value : null);
  const { state, band, reasons } = score.rating;
  return {
    evaluation: renderEvaluation(row),
    risk_overview: {
      average_risk_score: known(score.riskScore),
      owasp_score: known(score.owasp.score),
      nist_score: known(score.nist.score),
      raw_risk_score: known(score.rawRiskScore),
      severity_risk_score: known(score.severityRisk),
      owasp_agentic_score: known(score.owaspAgentic.score),
      atlas_score: known(score.atlas.score),
    },
    pass_rate: known(score.passRate),
    pass_rate_interval: known(pairOf(score.passRateInterval)),
    over_refusal_rate: known(score.overRefusalRate),
    critical_failures: [...score.criticalFailures],
    false_positive_count: score.falsePositives,
    avg_response_ms: averageMs,
    rating:
      row.status === 'failed'
        ? { state: 'failed', band: null, reasons: row.reason === null ? [...reasons] : [row.reason] }
        : { state, band, reasons: [...reasons] },
    category_breakdown: score.categories.map(renderCategory),
    frameworks: [score.owasp, score.owaspAgentic, score.nist, score.atlas].map(renderFramework),
  };
}

const pairOf = (interval: readonly [low: number, high: number] | null): [number, number] | null =>
  interval === null ? null : [...interval];

const renderCategory = (score: CategoryScore): EvaluationDashboard['category_breakdown'][number] => ({
  category: score.category,
  title: categories[score.category].title,
  weight: score.weight,
  total: score.total,
  passed: score.passed,
  failed: score.failed,
  false_positives: score.falsePositives,
  inconclusive: score.inconclusive,
  errors: score.errors,
  risk_score: score.riskScore,
  risk_interval: pairOf(score.riskInterval),
});

const renderFramework = (framework: FrameworkScore): EvaluationDashboard['frameworks'][number] => ({
  framework: framework.framework,
  name: framework.name,
  edition: framework.edition,
  score: framework.score,
  entries: framework.entries.map((entry) => ({ ...entry })),
  not_assessable: [...framework.notAssessable],
});

const bindCompare = (database: Queryable): BoundRoute =>
  bind(compareEvaluations, ({ params, query }) =>
    readConsistent(database, async (moment) => {
      const evaluation = await findEvaluationOrThrow(moment, params.id);
      const baseline = await findEvaluationOrThrow(moment, query.baseline_id);
      const [earlier, later] = [
        await loadReportResults(moment, baseline.id),
        await loadReportResults(moment, evaluation.id),
      ];
      return { data: renderComparison(evaluation, baseline, earlier, later) };
    }),
  );

function renderComparison(
  { id, name }: CountedEvaluation,
  baseline: CountedEvaluation,
  earlier: readonly ReportResult[],
  later: readonly ReportResult[],
): EvaluationComparison {
  const compared = compareRuns(earlier, later);
  const known = new Map([...earlier, ...later].map((result) => [result.testId, result]));
  const cases = (ids: readonly string[]): EvaluationComparison['fixed'] =>
    ids.flatMap((testId) => {
      const result = known.get(testId);
      if (result === undefined) return [];
      return [{ test_id: testId, name: result.name, category: result.category, severity: result.severity }];
    });
  return {
    evaluation: { id, name },
    baseline: { id: baseline.id, name: baseline.name },
    compared: compared.compared,
    new_failures: cases(compared.newFailures),
    fixed: cases(compared.fixed),
    still_failing: cases(compared.stillFailing),
    added_failures: cases(compared.addedFailures),
    not_comparable: cases(compared.notComparable),
    risk_change: compared.riskChange,
    p_value: compared.pValue,
  };
}

const bindTrend = (database: Queryable): BoundRoute =>
  bind(getEvaluationTrend, async ({ query }) => {
    if ((query.endpoint_id === undefined) === (query.guardrail_provider_id === undefined))
      throw new GatewayError('bad_request', {
        problems: [{ path: '/query/endpoint_id', rule: 'one of endpoint_id and guardrail_provider_id must be given' }],
      });
    const rows = await loadTrend(database, query);
    const { points, slope, direction } = riskTrend(
      rows.map(({ id, scores, finished_at: finished, started_at: started }) => ({
        evaluationId: id,
        at: (finished ?? started).toISOString(),
        riskScore: (scores as { readonly risk_score: number | null } | null)?.risk_score ?? null,
      })),
    );
    const names = new Map(rows.map(({ id, name }) => [id, name]));
    return {
      data: {
        points: points.map(({ evaluationId, at, riskScore, change }) => ({
          evaluation_id: evaluationId,
          name: names.get(evaluationId) ?? '',
          at,
          risk_score: riskScore,
          change,
        })),
        slope,
        direction,
      },
    };
  });
