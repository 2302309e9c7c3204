import { Type, type Static } from 'typebox';
import { alertCategories, severities } from './records.ts';

/**
 * A policy file in its one normal form. `parsePolicyFile` in core reads the spellings that
 * circulate and answers this form; everything behind it, and everything stored, knows no other.
 */

/** Bounds of one file: generous for an author, small enough that compiling it stays quick. */
export const policyFileLimits = { rules: 2_000, patterns: 10_000, patternLength: 2_000 } as const;

export const policyTypes = ['mcp', 'llm', 'a2a', 'both'] as const;
/** Traffic that a policy applies to; `both` is every kind of traffic. */
export type PolicyType = (typeof policyTypes)[number];

/** From strongest to weakest: the strongest action among the findings decides. */
export const policyActions = ['block', 'redact', 'monitor', 'log'] as const;
export type PolicyAction = (typeof policyActions)[number];

export const policyDirections = ['request', 'response', 'both'] as const;
export type PolicyDirection = (typeof policyDirections)[number];

const closed = { additionalProperties: false } as const;
const name = { minLength: 1, maxLength: 200 } as const;
const patternText = Type.String({ minLength: 1, maxLength: policyFileLimits.patternLength });

/** A case-sensitive regular expression, a text found in any case, or an expression with flags out of `imsu`. */
export const PolicyPattern = Type.Union([
  patternText,
  Type.Object({ literal: patternText }, closed),
  Type.Object({ regex: patternText, flags: Type.Optional(Type.String({ pattern: '^[imsu]{0,4}$' })) }, closed),
]);
export type PolicyPattern = Static<typeof PolicyPattern>;

export const PolicyRule = Type.Object(
  {
    id: Type.String({ ...name, description: 'Unique inside the policy' }),
    name: Type.String(name),
    description: Type.Optional(Type.String({ maxLength: 2_000 })),
    category: Type.Optional(Type.Enum(alertCategories)),
    severity: Type.Enum(severities),
    enabled: Type.Boolean(),
    patterns: Type.Array(PolicyPattern, { minItems: 1, description: 'The rule matches where any of them does' }),
    conditions: Type.Optional(Type.Object({ direction: Type.Optional(Type.Enum(policyDirections)) }, closed)),
    action: Type.Enum(policyActions),
    confidence: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    replacement: Type.Optional(Type.String({ maxLength: 200, description: 'What a redaction puts in place' })),
    placeholder_format: Type.Optional(Type.String({ maxLength: 200, description: 'For example <{TYPE}_{COUNT}>' })),
    unmask_for_user: Type.Optional(Type.Boolean({ description: 'The caller sees the original in the response' })),
  },
  closed,
);
export type PolicyRule = Static<typeof PolicyRule>;

export const PolicyFile = Type.Object(
  {
    name: Type.String({ ...name, description: 'Unique in the gateway; proxies assign policies by it' }),
    version: Type.String({ maxLength: 50 }),
    description: Type.String({ maxLength: 2_000 }),
    severity: Type.Enum(severities),
    policy_type: Type.Enum(policyTypes),
    rules: Type.Array(PolicyRule, { minItems: 1, maxItems: policyFileLimits.rules }),
  },
  closed,
);
export type PolicyFile = Static<typeof PolicyFile>;
