import { Type, type Static, type TSchema } from 'typebox';
import {
  evaluationCategories,
  evaluationDetections,
  evaluationSeverities,
  expectedResults,
  type EvaluationCategory,
} from './evaluation-case.ts';
import { Count, EvidenceId, Exact, Id, Name, Nullable, Timestamp, optional } from './fields.ts';

export const evaluationStatuses = ['running', 'completed', 'failed', 'cancelled'] as const;
export type EvaluationState = (typeof evaluationStatuses)[number];

export const evaluationOutcomes = ['passed', 'failed', 'inconclusive', 'error'] as const;

const Category = Type.Enum(evaluationCategories);
const Categories = Type.Array(Category, {
  maxItems: evaluationCategories.length,
  uniqueItems: true,
  description: 'Empty for all cases that are enabled',
});
const Percent = Type.Number({ minimum: 0, maximum: 100 });
const Interval = Nullable(
  Type.Unsafe<[number, number]>({
    type: 'array',
    items: { type: 'number', minimum: 0, maximum: 100 },
    minItems: 2,
    maxItems: 2,
    description: 'Lower and upper bound, with a confidence of 95 %',
  }),
);
const described = <Schema extends TSchema>(schema: Schema, description: string): Schema => ({ ...schema, description });

const asked = {
  endpoint_id: described(Id, 'An endpoint that can be evaluated; this or guardrail_provider_id'),
  guardrail_provider_id: described(Id, 'A guardrail provider, judged by what it flags; this or endpoint_id'),
  judge_endpoint_id: described(
    Id,
    'An endpoint for chat completions whose model judges the answers as well; its verdicts stand beside those of the rules and count nowhere',
  ),
  categories: { ...Categories, default: [] as EvaluationCategory[] },
  concurrency: Type.Integer({ minimum: 1, maximum: 10, default: 3, description: 'Cases under way at once' }),
  delay_ms: Type.Integer({
    minimum: 0,
    maximum: 60_000,
    default: 200,
    description: 'Pause of each lane between two cases: 100 in tests, 500 for moderate limits, 2000 for metered APIs',
  }),
};

export const EvaluationCreation = Exact({ name: Name, ...optional(asked) }, { title: 'EvaluationCreation' });
export type EvaluationCreation = Static<typeof EvaluationCreation>;

/** What an evaluation comes to before it is started. */
export const EvaluationEstimate = Exact(
  {
    cases: Count,
    requests: described(Count, 'When no case ends early'),
    input_tokens: Count,
    output_tokens: described(Count, 'At most'),
    duration_ms: described(Count, 'From the time that the latest connection test took, else two seconds a request'),
    cost_usd: Nullable(
      Type.Number({ minimum: 0, description: 'At most; null where the endpoint has no prices, and for providers' }),
    ),
  },
  { title: 'EvaluationEstimate' },
);
export type EvaluationEstimate = Static<typeof EvaluationEstimate>;

const status = {
  id: Id,
  status: Type.Enum(evaluationStatuses),
  total_tests: Count,
  completed: described(Count, 'Judged, or ended in an error'),
  passed: Count,
  failed: described(Count, 'Without false positives'),
  errors: Count,
  inconclusive: described(Count, 'Judged, and neither passed nor failed; counts in no score'),
  false_positives: Count,
  cancel_requested: described(Type.Boolean(), 'No further case begins; those under way are ended'),
  reason: Nullable(Type.String({ description: 'Why the evaluation failed' })),
  started_at: Timestamp,
  finished_at: Nullable(Timestamp),
  remaining_ms: Nullable(described(Count, 'Estimated from what was done so far; null where that tells nothing')),
};

export const EvaluationStatus = Exact(status, { title: 'EvaluationStatus' });
export type EvaluationStatus = Static<typeof EvaluationStatus>;

export const EvaluationRating = Exact(
  {
    state: Type.Enum(['rated', 'inconclusive', 'failed'], {
      description: 'inconclusive: too much is missing for a band; failed: there is no score',
    }),
    band: described(
      Nullable(Type.Enum(['excellent', 'good', 'moderate', 'poor', 'critical'])),
      'By the risk; none better than moderate where a critical case failed or too many harmless requests were refused',
    ),
    reasons: Type.Array(Type.String(), { description: 'Why there is no band, or none better' }),
  },
  { title: 'EvaluationRating' },
);

/** What lists and trends show of the end of an evaluation. */
export const EvaluationScores = Exact(
  {
    risk_score: Nullable(Percent),
    owasp_score: Nullable(Percent),
    nist_score: Nullable(Percent),
    pass_rate: Nullable(Percent),
    over_refusal_rate: Nullable(Percent),
    rating: EvaluationRating,
  },
  { title: 'EvaluationScores' },
);
export type EvaluationScores = Static<typeof EvaluationScores>;

export const Evaluation = Exact(
  {
    ...status,
    name: Name,
    endpoint_id: Nullable(Id),
    guardrail_provider_id: Nullable(Id),
    target_name: described(Type.String(), 'Of the endpoint or provider, as it was at the start'),
    judge_endpoint_id: Nullable(Id),
    categories: Categories,
    concurrency: asked.concurrency,
    delay_ms: asked.delay_ms,
    suite_version: described(Type.String(), 'Of the built-in cases: those of different versions are not the same test'),
    estimate: EvaluationEstimate,
    scores: described(Nullable(EvaluationScores), 'Null until it has ended, and where nothing was judged'),
    started_by: Type.String(),
  },
  { title: 'Evaluation' },
);
export type Evaluation = Static<typeof Evaluation>;

const EvaluatedCase = Exact({
  test_id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  category: Category,
  severity: Type.Enum(evaluationSeverities),
  test_type: Type.Enum(['single', 'multi']),
  expected_result: Type.Enum(expectedResults),
  expected_detection: Type.Enum(evaluationDetections),
  mappings: Type.Object({
    owasp_llm: Type.Array(Type.String()),
    owasp_agentic: Type.Array(Type.String()),
    nist_ai_rmf: Type.Array(Type.String()),
    mitre_atlas: Type.Array(Type.String()),
  }),
  compliance_impact: Type.String(),
});

export const evaluationVerdicts = ['blocked', 'allowed', 'inconclusive', 'error'] as const;

export const EvaluationModelVerdict = Exact(
  {
    verdict: Type.Enum(evaluationVerdicts),
    confidence: Nullable(Type.Number({ minimum: 0, maximum: 1 })),
    reason: Type.String(),
  },
  { title: 'EvaluationModelVerdict' },
);
export type EvaluationModelVerdict = Static<typeof EvaluationModelVerdict>;

export const EvaluationResult = Exact(
  {
    id: EvidenceId,
    evaluation_id: Id,
    test_case: described(EvaluatedCase, 'As it was when the evaluation was started'),
    outcome: Type.Enum(evaluationOutcomes),
    verdict: Type.Enum(evaluationVerdicts, { description: 'What became of the attack, or of the harmless request' }),
    detection: Type.Enum(evaluationDetections),
    detection_match: described(Type.Boolean(), 'Whether it is the mechanism that the case names; decides nothing'),
    reason: Type.String(),
    evidence: Type.Array(Exact({ kind: Type.String(), excerpt: Type.String() })),
    blocked_at_turn: Nullable(Type.Integer({ minimum: 1 })),
    model_verdict: described(Nullable(EvaluationModelVerdict), 'Of the judging model, where there is one'),
    status_code: Nullable(Type.Integer({ description: 'HTTP status of the last answer; null where there was none' })),
    response_time_ms: described(Type.Number({ minimum: 0 }), 'Of all requests of the case, with their repeats'),
    prompt: described(Type.String(), 'The last message as it was sent'),
    response: described(Type.String(), 'The start of the last answer. Hostile: show it as text'),
    is_false_positive: Type.Boolean(),
    false_positive_notes: Type.String(),
    reviewed_by: Nullable(Type.String()),
    reviewed_at: Nullable(Timestamp),
    finished_at: Timestamp,
  },
  { title: 'EvaluationResult' },
);
export type EvaluationResult = Static<typeof EvaluationResult>;

const counts = {
  total: Count,
  passed: described(Count, 'As they were judged, false positives apart'),
  failed: described(Count, 'Without false positives'),
  false_positives: Count,
  inconclusive: Count,
  errors: Count,
};

const risks = {
  average_risk_score: described(
    Nullable(Percent),
    'Weighted average of the failure rates of the categories; 0 is best',
  ),
  owasp_score: described(Nullable(Percent), 'OWASP Top 10 for LLM applications; 100 is best'),
  nist_score: described(Nullable(Percent), 'NIST AI RMF; 100 is best'),
  raw_risk_score: described(Nullable(Percent), 'The risk without regard to false positives'),
  severity_risk_score: described(Nullable(Percent), 'The risk with cases weighted by their severity'),
  owasp_agentic_score: Nullable(Percent),
  atlas_score: Nullable(Percent),
};
export const EvaluationRisk = Exact(risks, { title: 'EvaluationRisk' });

const EvaluationFramework = Exact(
  {
    framework: Type.String(),
    name: Type.String(),
    edition: Type.String(),
    score: Nullable(Percent),
    entries: Type.Array(
      Exact({ id: Type.String(), title: Type.String(), passed: Count, counted: Count, score: Nullable(Percent) }),
    ),
    not_assessable: Type.Array(Type.String(), { description: 'Entries that no prompt can assess' }),
  },
  { title: 'EvaluationFramework' },
);

export const EvaluationDashboard = Exact(
  {
    evaluation: Evaluation,
    risk_overview: EvaluationRisk,
    pass_rate: described(Nullable(Percent), 'Passed and false positives of all cases, those with errors too'),
    pass_rate_interval: Interval,
    over_refusal_rate: described(Nullable(Percent), 'Of the harmless requests'),
    critical_failures: Type.Array(Type.String(), {
      description: 'Test ids of critical cases that failed; with one of them no band is better than moderate',
    }),
    false_positive_count: Count,
    avg_response_ms: Nullable(Type.Number({ minimum: 0 })),
    rating: EvaluationRating,
    category_breakdown: Type.Array(
      Exact({
        category: Category,
        title: Type.String(),
        weight: Type.Number(),
        ...counts,
        risk_score: Nullable(Percent),
        risk_interval: Interval,
      }),
    ),
    frameworks: Type.Array(EvaluationFramework),
  },
  { title: 'EvaluationDashboard' },
);
export type EvaluationDashboard = Static<typeof EvaluationDashboard>;
