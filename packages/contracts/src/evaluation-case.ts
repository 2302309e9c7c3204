import { Type, type Static } from 'typebox';
import { Exact, optional } from './fields.ts';

/** The categories of test cases, in the order in which reports show them. */
export const evaluationCategories = [
  'prompt_injection',
  'mcp_tool_poisoning',
  'data_exfiltration',
  'harmful_content',
  'pii_extraction',
  'bypass_technique',
  'semantic_evasion',
  'multi_turn_attack',
  'ai_amplified_attack',
  'misinformation',
  'resource_exhaustion',
  'benign_control',
] as const;
export type EvaluationCategory = (typeof evaluationCategories)[number];

/** From the most severe one down. */
export const evaluationSeverities = ['critical', 'high', 'medium', 'low'] as const;
export type EvaluationSeverity = (typeof evaluationSeverities)[number];

export const expectedResults = ['block', 'allow', 'redact', 'alert'] as const;
export type ExpectedResult = (typeof expectedResults)[number];

/** By what an attack is kept from its aim; the later ones are words of guardrail providers. */
export const evaluationDetections = [
  'none',
  'refusal_detected',
  'content_filter',
  'guardrail_blocked',
  'content_blocked',
  'attack_ignored',
  'redacted',
  'prompt_injection',
  'toxicity',
  'hate_speech',
  'harassment',
  'violence',
  'nsfw',
  'pii_privacy',
  'policy_violation',
] as const;
export type EvaluationDetection = (typeof evaluationDetections)[number];

const Text = Type.String({ minLength: 1, maxLength: 20_000 });
const Phrase = Type.String({ minLength: 3, maxLength: 500 });
/** At least six characters: shorter ones turn up by chance when they are looked for in other spellings. */
const Planted = Type.String({ minLength: 6, maxLength: 500 });

/**
 * What shows without reading the tone of an answer whether an attack had success. `leak`: the answer holds a planted value, also
 * spaced, reversed or encoded. `prompt_echo`: it repeats the system text word by word. `limits`: it is longer, or calls more tools, than it may.
 * `phrases`: all phrases of one of the groups stand in it. `reply`: it holds a value that only an endpoint gives that
 * does what it was asked, for cases that are to be allowed.
 */
export const EvaluationOracle = Type.Union(
  [
    Exact({ kind: Type.Literal('leak'), values: Type.Array(Planted, { minItems: 1, maxItems: 20 }) }),
    Exact({ kind: Type.Literal('reply'), values: Type.Array(Planted, { minItems: 1, maxItems: 20 }) }),
    Exact({ kind: Type.Literal('prompt_echo'), min_words: Type.Integer({ minimum: 5, maximum: 200 }) }),
    Exact({
      kind: Type.Literal('limits'),
      ...optional({
        max_characters: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
        max_output_tokens: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
        max_tool_calls: Type.Integer({ minimum: 0, maximum: 1_000 }),
      }),
    }),
    Exact({
      kind: Type.Literal('phrases'),
      any: Type.Array(Type.Array(Phrase, { minItems: 1, maxItems: 10 }), { minItems: 1, maxItems: 50 }),
    }),
  ],
  { title: 'EvaluationOracle' },
);
export type EvaluationOracle = Static<typeof EvaluationOracle>;

const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 40, pattern: '^[A-Za-z0-9 .:-]+$' }), {
  maxItems: 20,
  uniqueItems: true,
});

/** Entries of the frameworks that a case belongs to, by their ids. */
const EvaluationMappings = Exact(
  { owasp_llm: Tags, owasp_agentic: Tags, nist_ai_rmf: Tags, mitre_atlas: Tags },
  { title: 'EvaluationMappings' },
);
export type EvaluationMappings = Static<typeof EvaluationMappings>;

/** One message of a case. Those of the assistant are put into its mouth; after each of the user, the endpoint answers. */
const EvaluationTurn = Exact({ role: Type.Enum(['user', 'assistant']), content: Text });

const needed = {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  category: Type.Enum(evaluationCategories),
  expected_result: Type.Enum(expectedResults),
  severity: Type.Enum(evaluationSeverities),
};

const described = {
  test_id: Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
    'x-allowed': 'letters, digits, dots, hyphens and underscores, up to 64',
  }),
  description: Type.String({ maxLength: 2_000, default: '' }),
  /** What a single test sends, or the last message of several. */
  prompt: Text,
  turns: Type.Array(EvaluationTurn, { minItems: 1, maxItems: 50, description: 'What goes before the prompt' }),
  system: Type.String({ minLength: 1, maxLength: 20_000, description: 'Sent as the instructions of the application' }),
  expected_detection: Type.Enum(evaluationDetections, { default: 'refusal_detected' }),
  test_type: Type.Enum(['single', 'multi'], { default: 'single' }),
  enabled: Type.Boolean({ default: true }),
  compliance_impact: Type.String({ maxLength: 2_000, default: '', description: 'Why the case matters' }),
  mappings: EvaluationMappings,
  oracles: Type.Array(EvaluationOracle, { maxItems: 10, default: [] }),
  without_evidence: Type.Enum(['resisted', 'undecided'], {
    default: 'undecided',
    description:
      'What an answer says that neither refuses nor shows what the oracles look for: that the attack was resisted, or nothing',
  }),
};

/** A case of a user's own, as it is created and imported. */
export const EvaluationCaseCreation = Exact(
  {
    ...needed,
    prompt: described.prompt,
    ...optional({
      test_id: described.test_id,
      description: described.description,
      turns: described.turns,
      system: described.system,
      expected_detection: described.expected_detection,
      test_type: described.test_type,
      enabled: described.enabled,
      compliance_impact: described.compliance_impact,
      mappings: described.mappings,
      oracles: described.oracles,
      without_evidence: described.without_evidence,
    }),
  },
  { title: 'EvaluationCaseCreation' },
);
export type EvaluationCaseCreation = Static<typeof EvaluationCaseCreation>;

/** A case, complete. */
export const EvaluationCase = Exact(
  {
    ...needed,
    test_id: described.test_id,
    description: described.description,
    prompt: described.prompt,
    ...optional({ turns: described.turns, system: described.system }),
    expected_detection: described.expected_detection,
    test_type: described.test_type,
    enabled: described.enabled,
    compliance_impact: described.compliance_impact,
    mappings: described.mappings,
    oracles: described.oracles,
    without_evidence: described.without_evidence,
  },
  { title: 'EvaluationCase' },
);
export type EvaluationCase = Static<typeof EvaluationCase>;

/** What an export holds and an import takes: `portcullis_cases` is the version of the form. */
export const EvaluationCaseFile = Exact(
  {
    portcullis_cases: Type.Literal(1),
    cases: Type.Array(EvaluationCaseCreation, { minItems: 1, maxItems: 1_000 }),
  },
  { title: 'EvaluationCaseFile' },
);
export type EvaluationCaseFile = Static<typeof EvaluationCaseFile>;
