import { Type, type Static } from 'typebox';
import { Count, EvidenceId, Exact, Id, Nullable, Timestamp, optional } from '../fields.ts';
import { filtersOf } from '../list-filters.ts';
import { proxyTypes, severities } from '../records.ts';
import { createRouteList } from '../route.ts';
import { Alert, times } from './alerts.ts';
import { GuardrailCheck } from './guardrail-checks.ts';
import { RequestLog } from './proxy-records.ts';

export const routes = createRouteList('Requests');

export const requestOutcomes = ['passed', 'refused', 'failed'] as const;
export type RequestOutcome = (typeof requestOutcomes)[number];

export const Cost = Nullable(Type.Number({ description: 'USD' }));

export const RequestSummary = Exact(
  {
    ...RequestLog.properties,
    proxy_name: Nullable(Type.String({ description: 'Null when the proxy is gone' })),
    proxy_type: Nullable(Type.Enum(proxyTypes)),
    api_key_name: Nullable(Type.String()),
    user_group: Nullable(Type.String({ description: 'The name of the user group' })),
    outcome: Type.Enum(requestOutcomes, {
      description:
        'refused: by the gateway, for its `denied_reason`; failed: the target did, or answered with 400 or above',
    }),
    model: Nullable(Type.String({ description: 'Null where no tokens were counted, like the three below' })),
    input_tokens: Nullable(Count),
    output_tokens: Nullable(Count),
    cost: Cost,
    session_id: Nullable(
      Type.String({
        description: 'The task of an agent that it belongs to, see `/sessions`; null where nothing tells',
      }),
    ),
  },
  { title: 'RequestSummary' },
);
export type RequestSummary = Static<typeof RequestSummary>;

const RequestPage = Exact({
  requests: Type.Array(RequestSummary),
  next_cursor: Nullable(
    Type.String({ description: 'The `cursor` that goes on from here; null when this is the last page' }),
  ),
  searched_from: Nullable({
    ...Timestamp,
    description:
      'Null when the page is full or the period was looked through. Else a request before this time may pass the filters too: `next_cursor` ' +
      'looks on from there. Ordered by cost: the time from which on the requests were compared',
  }),
});
export type RequestPage = Static<typeof RequestPage>;

const Comma = (values: string) => `^${values}(,${values})*$`;

/** The model of a request or a session. */
export const Model = Type.String({ minLength: 1, maxLength: 200, description: 'The model that answered' });

const filters = {
  model: Model,
  session: Type.String({ minLength: 1, maxLength: 64, description: 'Id of a session' }),
  tool: Type.String({ minLength: 1, maxLength: 200, description: 'An MCP tool that was called' }),
  status: Type.String({
    maxLength: 100,
    pattern: Comma('[1-5](\\d\\d|xx)'),
    'x-allowed': 'statuses with commas between, such as 403,5xx',
    description: 'Comma-separated status codes or classes, for example 429,5xx',
  }),
  stage: Type.String({ minLength: 1, maxLength: 100, description: 'The pipeline stage that refused' }),
  reason: Type.String({ minLength: 1, maxLength: 100, description: 'Why it was refused' }),
  outcome: Type.Enum(requestOutcomes),
  exception: Type.Integer({ ...Id, description: 'Id of a policy exception that was used' }),
  risk_level: Type.Enum([...severities, 'None']),
  min_cost: Type.Number({ minimum: 0, maximum: 1_000_000, description: 'USD, at least' }),
  search: Type.String({ maxLength: 200, description: 'Part of the path, or a whole request id or client address' }),
};

const RequestQuery = Exact({
  ...filtersOf('proxy', 'team', 'key', 'user', 'request_id'),
  ...optional(filters),
  ...times,
  order: Type.Enum(['time', 'cost'], {
    default: 'time',
    description: 'time: newest first; cost: dearest first, of the last 24 hours unless a period is given',
  }),
  limit: Type.Integer({ minimum: 1, maximum: 500, default: 50 }),
  ...optional({
    cursor: Type.String({ maxLength: 200, description: 'The `next_cursor` of the page before, with the same filters' }),
  }),
});
export type RequestQuery = Static<typeof RequestQuery>;

export const listRequests = routes.define({
  method: 'GET',
  path: '/requests',
  role: 'viewer',
  summary: 'List the requests of all proxies, newest or dearest first',
  parts: { query: RequestQuery, response: RequestPage },
});

const ToolCall = Exact({
  id: EvidenceId,
  timestamp: Timestamp,
  tool_name: Type.String(),
  outcome: Type.String(),
  duration_ms: Type.Number(),
});

const AgentCall = Exact({
  id: EvidenceId,
  timestamp: Timestamp,
  agent_id: Id,
  agent_name: Type.String(),
  invocation_type: Type.String(),
  response_status: Type.Integer(),
  error: Nullable(Type.String()),
  task_id: Nullable(Type.String()),
  context_id: Nullable(Type.String()),
  blocked: Type.Boolean(),
  duration_ms: Type.Number(),
});

const DetailedRequest = Exact(
  {
    ...RequestSummary.properties,
    stage_times: Exact({
      inspection_ms: Nullable(
        Type.Number({ description: 'How long policies looked at the request; null when it never came to it' }),
      ),
      target_wait_ms: Nullable(
        Type.Number({ description: 'From when it left until the answer began; null when there was none' }),
      ),
      response_inspection_ms: Nullable(
        Type.Number({ description: 'How long policies looked at the answer, its parts together' }),
      ),
    }),
    changes: Exact(
      {
        redacted_in_request: Type.Array(Type.String(), {
          description:
            'Ids of the rules by which something was taken out or replaced on the way to the target; 20 at most',
        }),
        redacted_in_answer: Type.Array(Type.String(), { description: 'The same on the way back' }),
        hidden_tools: Type.Array(Type.String(), { description: 'MCP tools that were left out of a list; 20 at most' }),
        canary: Type.Boolean({ description: 'A canary token was put in' }),
      },
      { description: 'What the gateway changed in the request and its answer; system prompts are told apart' },
    ),
  },
  { title: 'DetailedRequest' },
);
export type DetailedRequest = Static<typeof DetailedRequest>;

export const RequestDetail = Exact(
  {
    request_id: Type.String(),
    requests: Type.Array(DetailedRequest, {
      description: 'Newest first, 20 at most. Several: a client gave the same X-Request-Id again',
    }),
    alerts: Type.Array(Alert, { description: 'What policies, guardrails and limits reported of it; 100 at most' }),
    guardrail_checks: Type.Array(GuardrailCheck, { description: '100 at most' }),
    tool_calls: Type.Array(ToolCall, { description: '100 at most' }),
    agent_calls: Type.Array(AgentCall, { description: 'Calls of A2A agents with this id; 20 at most' }),
    exceptions: Type.Array(Id, { description: 'Ids of the policy exceptions under which findings were not enforced' }),
    prompts: Exact({
      injected: Type.Array(Id, { description: 'Ids of the system prompts that were put in' }),
      skipped: Type.Array(Id, { description: 'Ids of those that could not be' }),
    }),
  },
  { title: 'RequestDetail' },
);
export type RequestDetail = Static<typeof RequestDetail>;

export const getRequest = routes.define({
  method: 'GET',
  path: '/requests/:request_id',
  role: 'viewer',
  summary: 'Show what became of a request: its log, alerts, checks, tool calls, tokens and cost',
  parts: {
    params: Exact({ request_id: Type.String({ minLength: 1, maxLength: 128 }) }),
    response: RequestDetail,
  },
  errors: ['not_found'],
});
