import { Type, type Static } from 'typebox';
import { evaluationSeverities } from '../evaluation-case.ts';
import {
  Evaluation,
  EvaluationCreation,
  EvaluationDashboard,
  EvaluationEstimate,
  EvaluationStatus,
  evaluationStatuses,
} from '../evaluation.ts';
import { ById, Count, Exact, Id, Nullable, Timestamp, optional, page } from '../fields.ts';
import { createRouteList } from '../route.ts';

export const routes = createRouteList('Guardrail evaluations');
const path = '/security/guardrails/evaluations';

const ListQuery = Exact({
  ...page(50),
  ...optional({
    status: Type.Enum(evaluationStatuses),
    endpoint_id: Id,
    guardrail_provider_id: Id,
    search: Type.String({
      maxLength: 200,
      description: 'Part of the name of the evaluation or its target, in any case',
    }),
  }),
});
export type EvaluationListQuery = Static<typeof ListQuery>;

export const listEvaluations = routes.define({
  method: 'GET',
  path,
  role: 'viewer',
  summary: 'List the evaluations, newest first',
  parts: {
    query: ListQuery,
    response: Exact({ evaluations: Type.Array(Evaluation), total: Count, limit: Count, offset: Count }),
  },
});

export const startEvaluation = routes.define({
  method: 'POST',
  path,
  role: 'operator',
  summary: 'Start an evaluation of an endpoint, of a proxy behind one, or of a guardrail provider',
  status: 201,
  parts: { body: EvaluationCreation, response: Evaluation },
  errors: ['conflict'],
  audit: 'guardrail.evaluation.started',
});

export const estimateEvaluation = routes.define({
  method: 'POST',
  path: `${path}/estimate`,
  role: 'operator',
  summary: 'Tell what an evaluation would take of time, tokens and money, without starting it',
  parts: { body: EvaluationCreation, response: EvaluationEstimate },
  audit: { none: 'reads and computes' },
});

const TrendQuery = Exact({
  ...optional({ endpoint_id: Id, guardrail_provider_id: Id }),
  limit: Type.Integer({ minimum: 2, maximum: 500, default: 50, description: 'The latest evaluations' }),
});
export type EvaluationTrendQuery = Static<typeof TrendQuery>;

const Points = Type.Number({ minimum: -100, maximum: 100 });

export const EvaluationTrend = Exact(
  {
    points: Type.Array(
      Exact({
        evaluation_id: Id,
        name: Type.String(),
        at: Timestamp,
        risk_score: Nullable(Type.Number({ minimum: 0, maximum: 100 })),
        change: Nullable({ ...Points, description: 'Against the one before it that has a score; positive is worse' }),
      }),
      { description: 'By time' },
    ),
    slope: Nullable({
      ...Points,
      description: 'Points of risk an evaluation, over the last ten; null with fewer than two',
    }),
    direction: Type.Enum(['better', 'worse', 'steady', 'unknown']),
  },
  { title: 'EvaluationTrend' },
);
export type EvaluationTrend = Static<typeof EvaluationTrend>;

export const getEvaluationTrend = routes.define({
  method: 'GET',
  path: `${path}/trend`,
  role: 'viewer',
  summary: 'Show how the risk of an endpoint or a provider went from one completed evaluation to the next',
  parts: { query: TrendQuery, response: EvaluationTrend },
});

export const getEvaluation = routes.define({
  method: 'GET',
  path: `${path}/:id`,
  role: 'viewer',
  summary: 'Show an evaluation',
  parts: { params: ById, response: Evaluation },
  errors: ['not_found'],
});

export const getEvaluationStatus = routes.define({
  method: 'GET',
  path: `${path}/:id/status`,
  role: 'viewer',
  summary: 'Show how far an evaluation got; /ws tells the same as it happens',
  parts: { params: ById, response: EvaluationStatus },
  errors: ['not_found'],
});

export const cancelEvaluation = routes.define({
  method: 'POST',
  path: `${path}/:id/cancel`,
  role: 'operator',
  summary: 'Cancel an evaluation: cases under way are ended, no further one begins, results stay',
  parts: { params: ById, response: EvaluationStatus },
  errors: ['not_found', 'conflict'],
  audit: 'guardrail.evaluation.cancelled',
});

export const deleteEvaluation = routes.define({
  method: 'DELETE',
  path: `${path}/:id`,
  role: 'admin',
  summary: 'Delete an evaluation that has ended, with its results',
  parts: { params: ById },
  errors: ['not_found', 'conflict'],
  audit: 'guardrail.evaluation.deleted',
});

export const getEvaluationDashboard = routes.define({
  method: 'GET',
  path: `${path}/:id/dashboard`,
  role: 'viewer',
  summary: 'Show the scores of an evaluation as they are now, also while it runs',
  parts: { params: ById, response: EvaluationDashboard },
  errors: ['not_found'],
});

const reportFormats = ['html', 'pdf', 'json', 'junit', 'sarif'] as const;
export type EvaluationReportFormat = (typeof reportFormats)[number];

export const getEvaluationReport = routes.define({
  method: 'GET',
  path: `${path}/:id/report`,
  role: 'viewer',
  summary: 'Download the report of an evaluation as one HTML file, PDF, JSON, JUnit or SARIF, also while it runs',
  contentType: [
    'text/html; charset=utf-8',
    'application/pdf',
    'application/json; charset=utf-8',
    'application/xml; charset=utf-8',
    'application/sarif+json; charset=utf-8',
  ],
  parts: { params: ById, query: Exact({ format: Type.Enum(reportFormats, { default: 'html' }) }) },
  errors: ['not_found'],
});

const ComparedCase = Exact({
  test_id: Type.String(),
  name: Type.String(),
  category: Type.String(),
  severity: Type.Enum(evaluationSeverities),
});
const ComparedCases = Type.Array(ComparedCase);

export const EvaluationComparison = Exact(
  {
    evaluation: Exact({ id: Id, name: Type.String() }),
    baseline: Exact({ id: Id, name: Type.String() }),
    compared: { ...Count, description: 'Cases judged in both' },
    new_failures: { ...ComparedCases, description: 'Passed in the baseline, failed now' },
    fixed: { ...ComparedCases, description: 'Failed in the baseline, passed now' },
    still_failing: ComparedCases,
    added_failures: { ...ComparedCases, description: 'Failed, and no part of the baseline' },
    not_comparable: { ...ComparedCases, description: 'Judged in one of them only' },
    risk_change: Nullable({ ...Points, description: 'Positive is worse' }),
    p_value: Nullable(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: "McNemar's exact test: how likely so uneven a change is by chance",
      }),
    ),
  },
  { title: 'EvaluationComparison' },
);
export type EvaluationComparison = Static<typeof EvaluationComparison>;

export const compareEvaluations = routes.define({
  method: 'GET',
  path: `${path}/:id/compare`,
  role: 'viewer',
  summary: 'Compare an evaluation with an earlier one, case by case',
  parts: { params: ById, query: Exact({ baseline_id: Id }), response: EvaluationComparison },
  errors: ['not_found'],
});
