import { Type, type Static } from 'typebox';
import { ById, Count, Exact, Id, Nullable, optional } from '../fields.ts';
import { listenerTypes, severities } from '../records.ts';
import { createRouteList } from '../route.ts';

export const routes = createRouteList('Proxy trials');

/** Bytes of a body that a trial may send. */
export const maxTrialBodyBytes = 262_144;
/** Of what went to the target and of its answer; the rest is left out. */
export const maxTrialTextLength = 65_536;
export const maxTrialFindings = 100;

const Caller = Type.Object(
  optional({
    api_key_id: Type.Integer({ ...Id, description: 'The request is that of this key; its secret is not needed' }),
    user_group_id: Type.Integer({ ...Id, description: 'The request is that of a key of this user group' }),
  }),
  { additionalProperties: false, minProperties: 1, maxProperties: 1, description: 'One of the two' },
);

const HeaderValue = Type.String({ maxLength: 8_192, pattern: '^[\\t\\x20-\\x7e\\x80-\\xff]*$' });

export const TrialRequest = Exact({
  as: Caller,
  method: Type.Optional(Type.Enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], { default: 'POST' })),
  path: Type.String({
    minLength: 1,
    maxLength: 2_048,
    pattern: '^/[\\x21-\\x7e]*$',
    'x-allowed': 'a path as a client of the proxy asks for it, with its query, that begins with /',
  }),
  headers: Type.Optional(
    Type.Record(Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$" }), HeaderValue, {
      maxProperties: 50,
      description:
        'As a client would send them. Content-Type is application/json unless given; those that belong to the connection, and those that carry gateway keys, are refused',
    }),
  ),
  body: Type.Optional(
    Type.Unknown({ description: 'Text goes as it is, anything else as JSON; at most 256 KB. Absent: no body' }),
  ),
  send: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Whether it goes on to the target once all stages have passed it, and the answer through its stages',
    }),
  ),
});
export type TrialRequest = Static<typeof TrialRequest>;

export const trialResults = ['passed', 'changed', 'not_counted', 'answered', 'refused', 'failed'] as const;

export const TrialFinding = Exact(
  {
    stage: Type.String(),
    policy: Type.String(),
    rule_id: Type.String(),
    rule: Type.String(),
    severity: Type.Enum(severities),
    action: Type.String({ description: 'Of the rule, also where the policy is in shadow mode' }),
    excepted_by: Nullable(
      Type.Integer({ ...Id, description: 'The exception under which nothing came of the finding' }),
    ),
    shadow: Type.Boolean({ description: 'The policy is in shadow mode: nothing came of the finding' }),
    confidence: Type.Number({ minimum: 0, maximum: 1 }),
    direction: Type.Enum(['request', 'response']),
    origin: Type.String(),
    location: Type.String({ description: 'JSON pointer, header, query or channel of a stream' }),
    start: Count,
    end: Count,
    evidence: Type.String({ description: 'What matched, masked' }),
  },
  { title: 'TrialFinding' },
);
export type TrialFinding = Static<typeof TrialFinding>;

export const TrialStage = Exact(
  {
    stage: Type.String(),
    part: Type.Enum(['request', 'forward', 'response']),
    result: Type.Enum(trialResults, {
      description:
        'changed: what goes on differs from what came. not_counted: it counts requests or money, and this one does not count. answered: the stage answered itself. failed: its own fault, see the log',
    }),
    duration_us: Count,
    error_code: Nullable(Type.String()),
    message: Nullable(Type.String({ description: 'Why it refused' })),
    findings: Count,
  },
  { title: 'TrialStage' },
);
export type TrialStage = Static<typeof TrialStage>;

export const Trial = Exact(
  {
    trial: Type.Literal(true),
    request_id: Type.String({
      description: 'Begins with trial-; so it stands in the audit log and in the lines of the log',
    }),
    proxy: Exact({ id: Id, name: Type.String(), type: Type.Enum(listenerTypes) }),
    outcome: Type.Enum(['passed', 'refused', 'sent', 'answered', 'timed_out'], {
      description:
        'passed: all stages let it through, and it was not sent. sent: the target has answered, and the answer passed too. answered: a stage or the port answered itself',
    }),
    refused_by: Nullable(Type.String({ description: 'The stage' })),
    error_code: Nullable(Type.String()),
    message: Nullable(Type.String()),
    stages: Type.Array(TrialStage),
    findings: Type.Array(TrialFinding, { description: `At most ${maxTrialFindings}` }),
    findings_total: Count,
    forwarded: Nullable(
      Exact({
        path: Type.String(),
        body: Type.String({ description: 'As the target gets it: redacted, with what is injected' }),
        truncated: Type.Boolean(),
      }),
    ),
    answer: Nullable(
      Exact(
        {
          status: Type.Integer(),
          headers: Type.Record(Type.String(), Type.String()),
          body: Type.String(),
          truncated: Type.Boolean(),
        },
        { description: 'As the client gets it; null for one that passed and was not sent' },
      ),
    ),
    duration_ms: Type.Number({ minimum: 0 }),
  },
  { title: 'Trial' },
);
export type Trial = Static<typeof Trial>;

export const tryProxy = routes.define({
  method: 'POST',
  path: '/proxies/:id/try',
  role: 'admin',
  summary:
    'Run a request through the stages of a proxy and explain each; it counts in no limit, budget, usage, log of requests or alert',
  parts: { params: ById, body: TrialRequest, response: Trial },
  errors: ['not_found', 'service_unavailable'],
  audit: 'proxy.tried',
});
