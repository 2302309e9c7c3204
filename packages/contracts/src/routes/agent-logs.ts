import { Type, type Static } from 'typebox';
import { ById, Count, EvidenceId, Exact, Id, Nullable, Timestamp, optional } from '../fields.ts';
import { agentCallerTypes, agentInvocationTypes, agentSurfaces, severities } from '../records.ts';
import { createRouteList } from '../route.ts';
import { agentPage } from './agents.ts';

export const routes = createRouteList('Agents');

const entry = {
  id: EvidenceId,
  agent_id: Id,
  agent_name: Type.String(),
  user_id: Nullable(Type.Integer({ ...Id, description: 'Id of the API key, or of the user' })),
  user_type: Type.Enum(agentCallerTypes),
  user_identity: Nullable(Type.String({ description: 'Name of the API key, or of the user' })),
  user_group_id: Nullable(Id),
  task_id: Nullable(Type.String({ description: "The gateway's own" })),
  context_id: Nullable(Type.String()),
  invocation_type: Type.Enum(agentInvocationTypes),
  surface: Type.Enum(agentSurfaces, { description: 'Where the call came in' }),
  response_status: Type.Integer({ description: 'As HTTP has it, also where the answer was an error of JSON-RPC' }),
  error: Nullable(Type.String({ description: 'Why the gateway refused or broke off' })),
  task_state: Nullable(Type.String()),
  duration_ms: Type.Number(),
  blocked: Type.Boolean(),
  risk_score: Type.Integer({ minimum: 0, maximum: 100 }),
  rate_limit_exceeded: Type.Boolean(),
  rate_limit_applied: Type.Integer({ description: 'Invocations per minute; 0: none' }),
  source_ip: Type.String(),
  user_agent: Nullable(Type.String()),
  request_id: Type.String(),
  trace_id: Nullable(Type.String()),
  created_at: Timestamp,
};

export const AgentLog = Exact(entry, { title: 'AgentLog' });
export type AgentLog = Static<typeof AgentLog>;

const PolicyHit = Exact({
  policy_name: Type.String(),
  rule_id: Type.String(),
  rule_name: Type.String(),
  severity: Type.Enum(severities),
  action: Type.String(),
  direction: Type.Enum(['request', 'response']),
  location: Type.String({ description: 'JSON pointer in the message' }),
  evidence: Type.String({ description: 'Cut to size and masked' }),
  ...optional({ excepted_by: { ...Id, description: 'Id of the exception under which it was not enforced' } }),
});
export type PolicyHit = Static<typeof PolicyHit>;

/** Payloads are as policies left them, with secrets masked, and cut to size. */
export const AgentLogDetail = Exact(
  {
    ...entry,
    caller_version: Nullable(Type.String({ description: 'Generation of A2A that the caller spoke' })),
    agent_version: Nullable(Type.String({ description: 'Generation of A2A in which the agent was called' })),
    agent_binding: Nullable(Type.String()),
    events: Nullable(Type.Integer({ minimum: 0, description: 'Of a stream' })),
    first_event_ms: Nullable(Type.Number()),
    request_size: Count,
    response_size: Count,
    request_payload: Type.Unknown(),
    response_payload: Type.Unknown(),
    policy_hits: Type.Array(PolicyHit),
    block_reasons: Type.Array(Type.String()),
  },
  { title: 'AgentLogDetail' },
);
export type AgentLogDetail = Static<typeof AgentLogDetail>;

export const listAgentLogs = routes.define({
  method: 'GET',
  path: '/agents/:id/logs',
  role: 'admin',
  summary: 'List the invocations of an agent, newest first; the header X-Total-Count has their number',
  parts: {
    params: ById,
    query: Exact({
      ...agentPage,
      ...optional({
        blocked: Type.Boolean(),
        rate_limit_exceeded: Type.Boolean(),
        user_group_id: Id,
        task_id: Type.String({ maxLength: 256 }),
      }),
    }),
    response: Type.Array(AgentLog),
  },
  errors: ['not_found'],
});

export const getAgentLog = routes.define({
  method: 'GET',
  path: '/agents/:id/logs/:logId',
  role: 'admin',
  summary: 'Show an invocation with its payloads, policy hits and block reasons',
  parts: { params: Exact({ id: Id, logId: EvidenceId }), response: AgentLogDetail },
  errors: ['not_found'],
});
