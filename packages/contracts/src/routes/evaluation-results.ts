import { Type, type Static } from 'typebox';
import { evaluationCategories, evaluationSeverities } from '../evaluation-case.ts';
import { evaluationOutcomes, EvaluationResult, EvaluationScores } from '../evaluation.ts';
import { ById, Count, EvidenceId, Exact, Nullable, optional, page } from '../fields.ts';
import { createRouteList } from '../route.ts';

export const routes = createRouteList('Guardrail evaluations');

const ResultListQuery = Exact({
  ...page(100),
  ...optional({
    outcome: Type.Enum(evaluationOutcomes),
    category: Type.Enum(evaluationCategories),
    severity: Type.Enum(evaluationSeverities),
    is_false_positive: Type.Boolean(),
  }),
});
export type ResultListQuery = Static<typeof ResultListQuery>;

export const listEvaluationResults = routes.define({
  method: 'GET',
  path: '/security/guardrails/evaluations/:id/results',
  role: 'viewer',
  summary: 'List what the cases of an evaluation came to so far, in the order of the suite',
  parts: {
    params: ById,
    query: ResultListQuery,
    response: Exact({ results: Type.Array(EvaluationResult), total: Count, limit: Count, offset: Count }),
  },
  errors: ['not_found'],
});

export const reviewEvaluationResult = routes.define({
  method: 'PUT',
  path: '/security/guardrails/results/:id/false-positive',
  role: 'operator',
  summary: 'Say that a failure is none, or take it back; the scores follow at once',
  parts: {
    params: Exact({ id: EvidenceId }),
    body: Exact({
      is_false_positive: Type.Boolean(),
      ...optional({ notes: Type.String({ maxLength: 4_000, description: 'Why; needed for a false positive' }) }),
    }),
    response: Exact({
      result: EvaluationResult,
      scores: Nullable(EvaluationScores),
      false_positive_count: Count,
    }),
  },
  errors: ['not_found', 'conflict'],
  audit: 'guardrail.result.reviewed',
});
