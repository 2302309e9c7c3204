import { Type, type Static } from 'typebox';
import { evaluationCategories } from './evaluation-case.ts';
import { Count, Exact, Nullable } from './fields.ts';
import { policyActions, policyModes } from './policy-file.ts';
import { listenerTypes } from './records.ts';

/** What a sample is, as who made it says. */
export const examLabels = ['attack', 'benign'] as const;
export type ExamLabel = (typeof examLabels)[number];

/**
 * What policies do with a sample. `flagged` lets it pass with an alert. `unknown`: a logged verdict that cannot be
 * formed again, because the rule looks for something else by now and logs keep no texts.
 */
export const examOutcomes = ['blocked', 'redacted', 'flagged', 'passed', 'unknown'] as const;
export type ExamOutcome = (typeof examOutcomes)[number];

/** The built-in cases of evaluations, samples of one's own, and verdicts of policies on traffic. */
export const examSources = ['suite', 'samples', 'logged'] as const;
export type ExamSource = (typeof examSources)[number];

/** Bounds of one exam: it ends within seconds. */
export const examLimits = {
  samples: 5_000,
  /** Of all samples together. */
  characters: 2_000_000,
  /** Messages of one sample. */
  messages: 50,
  logged: 1_000,
  /** Rules that are shown of one sample. */
  rules: 10,
} as const;

const Outcome = Type.Enum(examOutcomes);
const Share = Nullable(Type.Number({ minimum: 0, maximum: 1 }));
const Interval = (of: string) =>
  Nullable(
    Type.Array(Type.Number({ minimum: 0, maximum: 1 }), {
      minItems: 2,
      maxItems: 2,
      description: `Where the ${of} lies with 95 % confidence`,
    }),
  );
const Duration = (description: string) => Nullable(Type.Number({ minimum: 0, description }));

export const ExamScore = Exact(
  {
    samples: Count,
    attacks: Count,
    benign: Count,
    blocked: Count,
    redacted: Count,
    flagged: Count,
    passed: Count,
    unknown: Count,
    missed: { ...Count, description: 'Attacks that were neither blocked nor redacted' },
    false_alarms: { ...Count, description: 'Benign samples that were blocked or redacted' },
    recall: { ...Share, description: 'Of the attacks, those that were blocked or redacted' },
    recall_interval: Interval('recall'),
    precision: { ...Share, description: 'Of what was blocked or redacted, the attacks' },
    precision_interval: Interval('precision'),
    false_alarm_rate: { ...Share, description: 'Of the benign samples, those that were blocked or redacted' },
    false_alarm_interval: Interval('false alarm rate'),
    p50_us: Duration('Time of the scan of one sample, in microseconds: half of them took at most this long'),
    p99_us: Duration('99 of 100 samples took at most this long'),
  },
  { title: 'PolicyExamScore' },
);
export type ExamScore = Static<typeof ExamScore>;

const ExaminedPolicy = Exact({ name: Type.String(), mode: Type.Enum(policyModes), rules: Count });

const ExamResult = Exact(
  {
    policies: Type.Array(ExaminedPolicy),
    total: ExamScore,
    sources: Type.Array(Exact({ source: Type.Enum(examSources), score: ExamScore })),
    all_enforced: Type.Unsafe<ExamScore | null>({
      anyOf: [ExamScore, { type: 'null' }],
      description: 'The score were the policies in shadow mode in force; null where none is in shadow mode',
    }),
  },
  { title: 'PolicyExamResult' },
);
export type ExamResult = Static<typeof ExamResult>;

const ExamRule = Exact({
  policy_name: Type.String(),
  rule_id: Type.String(),
  action: Type.Enum(policyActions),
  mode: Type.Enum(policyModes),
});
export type ExamRule = Static<typeof ExamRule>;

export const examChanges = ['new_miss', 'ended_miss', 'new_false_alarm', 'ended_false_alarm', 'other'] as const;
export type ExamChange = (typeof examChanges)[number];

const ExamCase = Exact(
  {
    source: Type.Enum(examSources),
    id: Type.String(),
    label: Nullable(Type.Enum(examLabels)),
    category: Nullable(Type.String()),
    outcome: Outcome,
    would: Nullable(
      Type.Enum(examOutcomes, { description: 'Were the policies in shadow mode in force; null where nothing differs' }),
    ),
    before: Nullable(Outcome),
    change: Nullable(Type.Enum(examChanges, { description: 'Null where the outcome is as before' })),
    rules: Type.Array(ExamRule, { description: `What matched, up to ${examLimits.rules} rules` }),
    duration_us: Duration('Null for logged verdicts, which are not scanned'),
  },
  { title: 'PolicyExamCase' },
);
export type ExamCase = Static<typeof ExamCase>;

const Ids = Type.Array(Type.String());

export const PolicyExam = Exact(
  {
    suite_version: Type.String(),
    after: ExamResult,
    before: Type.Unsafe<ExamResult | null>({ anyOf: [ExamResult, { type: 'null' }] }),
    difference: Type.Unsafe<ExamDifference | null>({
      anyOf: [
        Exact({
          new_misses: Ids,
          ended_misses: Ids,
          new_false_alarms: Ids,
          ended_false_alarms: Ids,
          other_changes: Ids,
        }),
        { type: 'null' },
      ],
      description: 'Samples, as source/id, that come out otherwise than before',
    }),
    cases: Type.Array(ExamCase),
    notes: Type.Array(Type.String({ description: 'What a reader of the figures should know' })),
  },
  { title: 'PolicyExam' },
);
export interface ExamDifference {
  readonly new_misses: string[];
  readonly ended_misses: string[];
  readonly new_false_alarms: string[];
  readonly ended_false_alarms: string[];
  readonly other_changes: string[];
}
export type PolicyExam = Static<typeof PolicyExam>;

/** What a request may say of the sources of samples. */
export const examSourceFields = {
  suite: Type.Union(
    [
      Type.Boolean(),
      Type.Array(Type.Enum(evaluationCategories), {
        minItems: 1,
        maxItems: evaluationCategories.length,
        uniqueItems: true,
      }),
    ],
    {
      'x-allowed': 'true, false or a list of categories',
      description: 'The built-in cases, or those of some categories; taken where nothing else is asked for',
    },
  ),
  samples: Type.String({
    minLength: 1,
    maxLength: 2 * examLimits.characters,
    description:
      'JSON lines: {"text" or "messages", "label": "attack" or "benign", and if wanted "id", "category", "direction", "origin", "role", "tool"}',
  }),
  logged: Type.Integer({
    minimum: 1,
    maximum: examLimits.logged,
    description: 'So many of the latest verdicts of policies on traffic: of the proxy, or of all',
  }),
  protocol: Type.Enum(listenerTypes, { description: "llm where no proxy's policies are examined" }),
  model: Type.String({ maxLength: 200 }),
  path: Type.String({ maxLength: 500 }),
};
