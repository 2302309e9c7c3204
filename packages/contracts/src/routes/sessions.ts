import { Type, type Static } from 'typebox';
import { Count, Exact, Id, Nullable, Timestamp, optional } from '../fields.ts';
import { filtersOf } from '../list-filters.ts';
import { proxyTypes, sessionSources } from '../records.ts';
import { createRouteList } from '../route.ts';
import { times } from './alerts.ts';
import { Cost, Model, RequestSummary } from './requests.ts';

export const routes = createRouteList('Sessions');

const maxListed = 'The first 20';

export const SessionSummary = Exact(
  {
    session_id: Type.String(),
    recognised_by: Type.Enum(sessionSources, {
      description:
        'agent: an id that the agent names; trace: the trace that it continues; mcp: the session of an MCP server; a2a: the context of ' +
        'an A2A agent; conversation: how a conversation of one day begins',
    }),
    started_at: Timestamp,
    last_at: { ...Timestamp, description: 'When its latest call came' },
    api_key_id: Nullable(Id),
    api_key_name: Nullable(Type.String()),
    user_id: Nullable(Id),
    user_identity: Nullable(Type.String({ description: 'The name of the user who called' })),
    user_group_id: Nullable(Id),
    user_group: Nullable(Type.String({ description: 'The name of the user group' })),
    proxies: Type.Array(
      Exact({ id: Id, name: Nullable(Type.String({ description: 'Null when the proxy is gone' })) }),
      { description: maxListed },
    ),
    agents: Type.Array(Exact({ id: Id, name: Nullable(Type.String({ description: 'Null when the agent is gone' })) }), {
      description: `A2A agents that were called. ${maxListed}`,
    }),
    models: Type.Array(Type.String(), { description: maxListed }),
    calls: Type.Integer({ minimum: 0, description: 'Requests of proxies and calls of agents' }),
    refused: Type.Integer({ minimum: 0, description: 'Calls that the gateway refused' }),
    failed: Type.Integer({
      minimum: 0,
      description: 'Calls at which the target failed, or that it answered with 400 or above',
    }),
    input_tokens: Count,
    output_tokens: Count,
    cost: Type.Number({ minimum: 0, description: 'USD' }),
  },
  { title: 'SessionSummary' },
);
export type SessionSummary = Static<typeof SessionSummary>;

const SessionPage = Exact({
  sessions: Type.Array(SessionSummary),
  next_cursor: Nullable(
    Type.String({ description: 'The `cursor` that goes on from here; null when this is the last page' }),
  ),
  searched_from: Nullable({
    ...Timestamp,
    description:
      'Null when the page is full or the period was looked through. Else a session that began before this time may pass the filters ' +
      'too: `next_cursor` looks on from there. Ordered by cost: the time from which on the sessions were compared',
  }),
});
export type SessionPage = Static<typeof SessionPage>;

const Cursor = Type.String({
  maxLength: 200,
  description: 'The `next_cursor` of the page before, with the same filters',
});

const SessionQuery = Exact({
  ...filtersOf('proxy', 'team', 'key', 'user'),
  ...optional({ model: Model }),
  ...times,
  order: Type.Enum(['start', 'cost'], {
    default: 'start',
    description:
      'start: what began last comes first; cost: highest cost first, of what began in the last 24 hours unless a period is given',
  }),
  limit: Type.Integer({ minimum: 1, maximum: 500, default: 50 }),
  ...optional({ cursor: Cursor }),
});
export type SessionQuery = Static<typeof SessionQuery>;

export const listSessions = routes.define({
  method: 'GET',
  path: '/sessions',
  role: 'viewer',
  summary: 'List the sessions of agents over all proxies, latest or highest cost first',
  parts: { query: SessionQuery, response: SessionPage },
});

const { request_id, timestamp, outcome, denied_reason, denied_stage, status_code, duration_ms } =
  RequestSummary.properties;
const { model, input_tokens, output_tokens } = RequestSummary.properties;

const SessionCall = Exact(
  {
    timestamp,
    request_id,
    type: Nullable(Type.Enum(proxyTypes, { description: 'Null when the proxy is gone' })),
    proxy_id: Nullable(Type.Integer({ ...Id, description: 'Null for calls of agents' })),
    agent_id: Nullable(Type.Integer({ ...Id, description: 'Null for requests of proxies' })),
    name: Nullable(Type.String({ description: 'Of the proxy or agent; null when the proxy is gone' })),
    operation: Type.String({ description: 'Method and path, or what was asked of the agent' }),
    tools: Type.Array(Type.String(), { description: 'MCP tools that were called, 20 at most' }),
    outcome,
    status_code,
    denied_reason,
    denied_stage,
    risk_level: RequestSummary.properties.risk_level,
    model,
    input_tokens,
    output_tokens,
    cost: Cost,
    duration_ms,
  },
  { title: 'SessionCall' },
);
export type SessionCall = Static<typeof SessionCall>;

const SessionDetail = Exact(
  {
    session: SessionSummary,
    calls: Type.Array(SessionCall, { description: 'Oldest first, LLM, MCP and A2A on one line of time' }),
    next_cursor: Nullable(Type.String({ description: 'The `cursor` of later calls; null when these are the latest' })),
  },
  { title: 'SessionDetail' },
);
export type SessionDetail = Static<typeof SessionDetail>;

export const getSession = routes.define({
  method: 'GET',
  path: '/sessions/:session_id',
  role: 'viewer',
  summary: 'Show a session of an agent: its calls in the order of time, with verdicts, tokens and cost',
  parts: {
    params: Exact({ session_id: Type.String({ minLength: 1, maxLength: 64 }) }),
    query: Exact({
      limit: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
      ...optional({ cursor: Cursor }),
    }),
    response: SessionDetail,
  },
  errors: ['not_found'],
});
