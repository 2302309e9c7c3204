import { Type, type Static } from 'typebox';
import { Count, Exact, Id, Nullable, optional } from '../fields.ts';
import { PolicyExam, examSourceFields } from '../policy-exam.ts';
import { messageRoles, policyActions, policyFileLimits, policyTypes, textOrigins } from '../policy-file.ts';
import { alertCategories, severities } from '../records.ts';
import { createRouteList } from '../route.ts';
import { PolicyReport, type Document } from './policies.ts';
import { PolicyNames } from './proxies.ts';

export const routes = createRouteList('Policies');

/** A policy that need not be stored. */
const GivenPolicy = Type.Unsafe<number | string | Document>({
  type: ['integer', 'string', 'object'],
  maxLength: 200,
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'A policy file, {document: file}, or the id or name of a stored policy',
});

const texts = { maxItems: 50, maxLength: 100_000 } as const;

const TestedFinding = Exact(
  {
    policy_name: Type.String(),
    rule_id: Type.String(),
    rule_name: Type.String(),
    severity: Type.Enum(severities),
    category: Type.Enum(alertCategories),
    action: Type.Enum(policyActions),
    type: Type.String({ description: 'A word for what was found, such as EMAIL' }),
    confidence: Type.Number({ minimum: 0, maximum: 1 }),
    view: Type.String({ description: 'The reading of the text in which it was found, such as plain or base64' }),
    mapped: Type.Boolean({ description: 'Its place is exact; what is not cannot be redacted and blocks' }),
    start: Count,
    end: Count,
    evidence: Type.String({ description: 'Masked' }),
    signals: Nullable(Type.Array(Type.String())),
    excepted_by: Nullable({ ...Id, description: 'Id of the exception under which it is not enforced' }),
  },
  { title: 'TestedFinding' },
);

const TestedText = Exact(
  {
    index: Count,
    action: Type.Enum([...policyActions, 'pass'], { description: 'What the findings come to' }),
    findings: Type.Array(TestedFinding),
    findings_total: Count,
    redacted: Nullable(Type.String({ description: 'The text as it would go on, when something in it is redacted' })),
    duration_us: Type.Number({ minimum: 0, description: 'Time of the scan' }),
  },
  { title: 'TestedText' },
);
export type TestedText = Static<typeof TestedText>;

export const testPolicy = routes.define({
  method: 'POST',
  path: '/policies/test',
  role: 'operator',
  summary:
    'Run a policy file, or stored policies, over sample texts: what they find, decide and redact, and how long it takes',
  parts: {
    body: Exact({
      test_content: Type.Array(Type.String({ maxLength: texts.maxLength }), { minItems: 1, maxItems: texts.maxItems }),
      ...optional({
        policy: GivenPolicy,
        policy_names: PolicyNames,
        direction: Type.Enum(['request', 'response'], { default: 'request' }),
        protocol: Type.Enum(
          policyTypes.filter((type) => type !== 'both'),
          { default: 'llm' },
        ),
        role: Type.Enum(messageRoles),
        origin: Type.Enum(textOrigins, { description: 'Where the texts come from; without it all rules read them' }),
        tool: Type.String({ maxLength: 200 }),
        model: Type.String({ maxLength: 200 }),
        path: Type.String({ maxLength: 500 }),
        proxy_id: { ...Id, description: 'With the exceptions for this proxy; without it, those for all proxies' },
        agent_id: { ...Id, description: 'With the exceptions for this agent' },
        user_group_id: { ...Id, description: 'With the exceptions for this team' },
      }),
    }),
    response: Exact({ results: Type.Array(TestedText), report: PolicyReport }),
  },
  audit: { none: 'it changes nothing' },
});

const policySet = optional({
  proxy_id: { ...Id, description: 'The policies of this proxy, each in its mode' },
  policy_names: PolicyNames,
  policy: GivenPolicy,
  shadow: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    maxItems: 50,
    uniqueItems: true,
    description: 'Names of those to be examined in shadow mode',
  }),
});

/** Policies as they would work together. A policy that is given takes the place of the one of its name. */
const ExaminedPolicies = Exact(policySet, { title: 'ExaminedPolicies' });
export type ExaminedPolicies = Static<typeof ExaminedPolicies>;

export const evaluatePolicy = routes.define({
  method: 'POST',
  path: '/policies/evaluate',
  role: 'operator',
  summary:
    'Examine policies, stored or not: what they block and let through of the suite, of labelled samples and of logged verdicts, and what changes',
  parts: {
    body: Exact({
      ...policySet,
      ...optional({
        before: {
          ...ExaminedPolicies,
          description: 'To compare with; by default the policies of the proxy as they are, where one is named',
        },
        ...examSourceFields,
      }),
    }),
    response: PolicyExam,
  },
  audit: { none: 'it changes nothing' },
});

const AnalysedPattern = Exact(
  {
    pattern: Type.Unknown({ description: 'As it was given' }),
    valid: Type.Boolean(),
    verdict: Type.Enum(['fast', 'everywhere', 'linear', 'refused'], {
      description: 'Run only where a fixed text stands, run over every text, run on the linear engine, or refused',
    }),
    reason: Nullable(Type.String({ description: 'Why it is refused' })),
    bounded: Type.Boolean({ description: 'It has a longest match that streams can wait for' }),
    max_length: Nullable(Count),
    literals: Type.Array(Type.String(), { description: 'One of them stands in every match' }),
    weight: Type.Number({ description: 'How much looking at one character costs of the scan budget' }),
  },
  { title: 'AnalysedPattern' },
);
export type PatternVerdict = Static<typeof AnalysedPattern>;

export const analysePatterns = routes.define({
  method: 'POST',
  path: '/policies/patterns/analyze',
  role: 'operator',
  summary: 'Show how patterns would be run, and what that costs',
  parts: {
    body: Exact({
      patterns: Type.Array(Type.Unknown({ description: 'In any spelling a policy file may have' }), {
        minItems: 1,
        maxItems: policyFileLimits.exceptions,
      }),
    }),
    response: Exact({ patterns: Type.Array(AnalysedPattern) }),
  },
  audit: { none: 'it changes nothing' },
});
