import { Type, type Static } from 'typebox';
import { alertCategories, severities } from './records.ts';

/**
 * A policy file in its one normal form. `parsePolicyFile` in core reads the spellings that
 * circulate and answers this form; everything behind it, and everything stored, knows no other.
 */

/** Bounds of one file: generous for an author, small enough that compiling it stays quick. */
export const policyFileLimits = {
  rules: 2_000,
  /** In the whole file, those of signals and exceptions included. */
  patterns: 10_000,
  patternLength: 2_000,
  /** Of one rule. */
  detectors: 50,
  signals: 100,
  exceptions: 100,
  conditionValues: 100,
  tags: 20,
} as const;

export const policyTypes = ['mcp', 'llm', 'a2a', 'both'] as const;
/** Traffic that a policy applies to; `both` is every kind of traffic. */
export type PolicyType = (typeof policyTypes)[number];

/** From strongest to weakest: the strongest action among the findings decides. */
export const policyActions = ['block', 'replace', 'redact', 'monitor', 'log'] as const;
export type PolicyAction = (typeof policyActions)[number];

/** How an assignment takes its policy: in force, or evaluated and recorded only. */
export const policyModes = ['enforce', 'shadow'] as const;
export type PolicyMode = (typeof policyModes)[number];

export const policyDirections = ['request', 'response', 'both'] as const;
export type PolicyDirection = (typeof policyDirections)[number];

/** Who wrote a text of a conversation, for conditions. */
export const messageRoles = ['system', 'developer', 'user', 'assistant', 'tool'] as const;
export type MessageRole = (typeof messageRoles)[number];

/**
 * Where a text comes from: what the application tells the model, what its user says, what an agent puts beside its
 * user's words, what the model says, what tools answer, how tools are described, and what was attached.
 */
export const textOrigins = [
  'instructions',
  'user',
  'context',
  'assistant',
  'tool_result',
  'tool_definition',
  'document',
] as const;
export type TextOrigin = (typeof textOrigins)[number];

const closed = { additionalProperties: false } as const;
const name = { minLength: 1, maxLength: 200 } as const;
const patternText = Type.String({ minLength: 1, maxLength: policyFileLimits.patternLength });
const fraction = { minimum: 0, maximum: 1 } as const;
const globs = (description: string) =>
  Type.Optional(
    Type.Array(Type.String(name), { minItems: 1, maxItems: policyFileLimits.conditionValues, description }),
  );

/** A case-sensitive regular expression, a text found in any case, or an expression with flags out of `imsu`. */
export const PolicyPattern = Type.Union([
  patternText,
  Type.Object({ literal: patternText }, closed),
  Type.Object(
    {
      regex: patternText,
      flags: Type.Optional(
        Type.String({ pattern: '^[imsu]{0,4}$', 'x-allowed': 'up to four of the letters i, m, s and u' }),
      ),
    },
    closed,
  ),
]);
export type PolicyPattern = Static<typeof PolicyPattern>;

const Patterns = Type.Array(PolicyPattern, { maxItems: policyFileLimits.patterns });
const Detectors = Type.Array(Type.String(name), { maxItems: policyFileLimits.detectors });
const Exceptions = Type.Array(PolicyPattern, {
  maxItems: policyFileLimits.exceptions,
  description: 'A hit is taken back when one of them matches in it or in the 64 characters before or 48 behind it',
});
const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: policyFileLimits.tags });

/** All that are given must hold. In lists one is enough; `*` stands for any characters. */
export const PolicyConditions = Type.Object(
  {
    direction: Type.Optional(Type.Enum(policyDirections)),
    roles: Type.Optional(Type.Array(Type.Enum(messageRoles), { minItems: 1, description: 'Who wrote the text' })),
    tools: globs('Names of the tool that is called, described or answers'),
    models: globs('Names of the model'),
    paths: globs('Paths of the request, such as /v1/chat/*'),
    pointers: globs('Places in the JSON body, such as /messages/*/content'),
    size: Type.Optional(
      Type.Object(
        {
          min: Type.Optional(Type.Integer({ minimum: 0 })),
          max: Type.Optional(Type.Integer({ minimum: 0 })),
        },
        { ...closed, description: 'Characters of the text; of a stream those that have arrived' },
      ),
    ),
  },
  closed,
);
export type PolicyConditions = Static<typeof PolicyConditions>;

/** One of several weak signs. It counts once, however often it is found. */
export const PolicySignal = Type.Object(
  {
    name: Type.String(name),
    weight: Type.Number({ exclusiveMinimum: 0, maximum: 1_000 }),
    patterns: Patterns,
    detectors: Type.Optional(Detectors),
  },
  closed,
);
export type PolicySignal = Static<typeof PolicySignal>;

export const PolicyRedaction = Type.Object(
  {
    placeholder: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: '{TYPE} and {COUNT} are filled in; <{TYPE}_{COUNT}>' }),
    ),
    restore: Type.Optional(Type.Boolean({ description: 'The caller sees the original in the response' })),
  },
  closed,
);
export type PolicyRedaction = Static<typeof PolicyRedaction>;

export const PolicyRule = Type.Object(
  {
    id: Type.String({ ...name, description: 'Unique inside the policy' }),
    name: Type.String(name),
    description: Type.Optional(Type.String({ maxLength: 2_000 })),
    category: Type.Optional(Type.Enum(alertCategories)),
    severity: Type.Enum(severities),
    enabled: Type.Boolean(),
    patterns: Type.Array(PolicyPattern, {
      maxItems: policyFileLimits.patterns,
      description: 'The rule matches where any of them does',
    }),
    detectors: Type.Optional(Detectors),
    signals: Type.Optional(Type.Array(PolicySignal, { minItems: 1, maxItems: policyFileLimits.signals })),
    threshold: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, description: 'Weight of distinct signals that makes the rule match' }),
    ),
    long_threshold: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        description: 'The same in a text of more than 2,000 characters, where more of them come together by chance',
      }),
    ),
    window: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100_000, description: 'Characters in which the signals must come together' }),
    ),
    min_confidence: Type.Optional(
      Type.Number({ ...fraction, description: 'Detectors that are less sure do not count' }),
    ),
    origins: Type.Optional(
      Type.Array(Type.Enum(textOrigins), {
        minItems: 1,
        uniqueItems: true,
        description: 'Where the texts come from that the rule reads; all of them where it is absent',
      }),
    ),
    conditions: Type.Optional(PolicyConditions),
    exceptions: Type.Optional(Exceptions),
    action: Type.Enum(policyActions),
    confidence: Type.Optional(Type.Number(fraction)),
    owasp: Type.Optional(Tags),
    nist: Type.Optional(Tags),
    redact: Type.Optional(PolicyRedaction),
  },
  closed,
);
export type PolicyRule = Static<typeof PolicyRule>;

export const PolicyFile = Type.Object(
  {
    id: Type.Optional(Type.String(name)),
    name: Type.String({ ...name, description: 'Unique in the gateway; proxies assign policies by it' }),
    version: Type.String({ maxLength: 50 }),
    description: Type.String({ maxLength: 2_000 }),
    author: Type.Optional(Type.String({ maxLength: 200 })),
    severity: Type.Enum(severities),
    policy_type: Type.Enum(policyTypes),
    enabled: Type.Optional(Type.Boolean({ default: true })),
    exceptions: Type.Optional(Exceptions),
    rules: Type.Array(PolicyRule, { minItems: 1, maxItems: policyFileLimits.rules }),
  },
  { ...closed, title: 'Policy file' },
);
export type PolicyFile = Static<typeof PolicyFile>;
