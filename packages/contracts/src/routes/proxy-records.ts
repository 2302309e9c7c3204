import { Type, type Static } from 'typebox';
import { ById, Count, EvidenceId, Exact, Id, Nullable, Timestamp, optional, page } from '../fields.ts';
import { filtersOf } from '../list-filters.ts';
import { severities } from '../records.ts';
import { createRouteList } from '../route.ts';
import { AlertPage, ProxyAlertListQuery } from './alerts.ts';

export const routes = createRouteList('Proxy records');

const RequestTokens = Exact({
  model: Type.String(),
  input_tokens: Count,
  output_tokens: Count,
  total_tokens: Count,
  cost: Type.Number({ description: 'USD' }),
  estimated: Type.Boolean(),
});
export type RequestTokens = Static<typeof RequestTokens>;

export const RequestLog = Exact(
  {
    id: EvidenceId,
    proxy_config_id: Id,
    timestamp: Timestamp,
    request_id: Type.String(),
    requests: Type.Integer({
      minimum: 1,
      description:
        'How many requests this stands for. More than one were refused alike, before anybody counted as their caller, within the minute ' +
        'before the time told; durations and sizes are those of all of them, and the id is that of the latest',
    }),
    method: Type.String({
      description: 'Empty, like the path, where the request could not be read or several had different ones',
    }),
    path: Type.String(),
    status_code: Type.Integer(),
    duration_ms: Type.Number(),
    request_size: Count,
    response_size: Count,
    client_ip: Type.String({
      description:
        'Of several requests from one IPv6 network that network, `…::/64`; empty where they came from further apart',
    }),
    user_agent: Nullable(Type.String()),
    api_key_id: Nullable(Id),
    user_group_id: Nullable(Id),
    user_id: Nullable(
      Type.Integer({ ...Id, description: 'The user who called with a session, or who let the calling client in' }),
    ),
    user_identity: Nullable(Type.String({ description: 'The name of that user now; null when the user is gone' })),
    risk_level: Type.Enum([...severities, 'None']),
    denied_reason: Nullable(Type.String({ description: 'Why the gateway refused or broke off' })),
    denied_stage: Nullable(Type.String({ description: 'The pipeline stage that did' })),
    target_problem: Nullable(Type.String({ description: 'Why the target failed, behind a 502 or 504' })),
    ...optional({
      tokens: Nullable(RequestTokens),
      budget_check: Type.Enum(['passed', 'exceeded', 'not_checked'], {
        description: 'not_checked: the request was refused before, or its user group is unknown',
      }),
    }),
  },
  { title: 'RequestLog' },
);
export type RequestLog = Static<typeof RequestLog>;

export const ProxyStats = Exact(
  {
    proxy_id: Id,
    time_range_hours: Count,
    total_requests: Count,
    successful_requests: Count,
    failed_requests: Count,
    avg_response_time_ms: Type.Number(),
    total_data_transferred: Type.Integer({ description: 'Bytes of request and response bodies' }),
    alerts_triggered: Count,
    top_endpoints: Type.Array(Exact({ path: Type.String(), count: Count }), {
      description: 'Counted among the latest 20,000 requests',
    }),
  },
  { title: 'ProxyStats' },
);
export type ProxyStats = Static<typeof ProxyStats>;

/** A part of the tokens beside it. */
const UsagePart = Nullable(Type.Integer({ minimum: 0, description: 'Null: recorded before these were told apart' }));

export const TokenUsage = Exact(
  {
    proxy_id: Id,
    proxy_name: Type.String(),
    period_days: Count,
    totals: Exact({ total_tokens: Count, total_cost: Type.Number({ description: 'USD' }), request_count: Count }),
    recent_usage: Type.Array(
      Exact({
        id: EvidenceId,
        timestamp: Timestamp,
        model: Type.String(),
        input_tokens: Count,
        cached_input_tokens: UsagePart,
        cache_write_tokens: UsagePart,
        output_tokens: Count,
        reasoning_tokens: UsagePart,
        total_tokens: Count,
        cost: Type.Number({ description: 'USD' }),
        stated_cost: Nullable(
          Type.Number({ description: 'USD, as the provider states it; null where it states none' }),
        ),
        priced: Nullable(Type.Boolean({ description: 'False: the model has no price, so it cost 0' })),
        estimated: Type.Boolean({ description: 'True: the provider did not tell everything' }),
        request_id: Type.String(),
      }),
    ),
    records_count: Type.Integer({ minimum: 0, description: 'Entries of recent_usage, which ends at 100' }),
    models: Type.Array(
      Exact({
        model: Type.String(),
        input_tokens: Count,
        output_tokens: Count,
        total_tokens: Count,
        total_cost: Type.Number({ description: 'USD' }),
        request_count: Count,
      }),
      { description: 'The 100 with the highest cost; in whole UTC days' },
    ),
    models_total: Count,
  },
  { title: 'TokenUsage' },
);
export type TokenUsage = Static<typeof TokenUsage>;

const Moment = Type.String({
  maxLength: 40,
  pattern: '^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?Z)?$',
  'x-allowed': 'a day such as 2026-01-31 or a time such as 2026-01-31T12:00:00Z',
  description: 'ISO 8601 in UTC, or a day: its first moment',
});

const logFilters = {
  status: Type.String({
    maxLength: 100,
    pattern: '^[1-5](\\d\\d|xx)(,[1-5](\\d\\d|xx))*$',
    'x-allowed': 'statuses with commas between, such as 403,5xx',
    description: 'Comma-separated status codes or classes, for example 429,5xx',
  }),
  from: { ...Moment, deprecated: true, description: 'The older name of date_from' },
  to: { ...Moment, deprecated: true, description: 'The older name of date_to, of which a day is left out' },
  search: Type.String({ maxLength: 200, description: 'Part of the path, or a whole request id or client address' }),
};

const logParts = {
  include_tokens: Type.Boolean({
    default: false,
    description: 'Each entry tells its `tokens`, null where none were counted',
  }),
  include_budget_check: Type.Boolean({ default: false, description: 'Each entry tells its `budget_check`' }),
};

export const listProxyLogs = routes.define({
  method: 'GET',
  path: '/proxies/:id/logs',
  role: 'viewer',
  summary: 'List the latest requests of a proxy, newest first',
  parts: {
    params: ById,
    query: Exact({
      ...page(100),
      ...filtersOf('time_range', 'date_from', 'date_to', 'team', 'key', 'user', 'request_id'),
      ...optional(logFilters),
      ...logParts,
    }),
    response: Type.Array(RequestLog),
  },
  errors: ['not_found'],
});

export const getProxyStats = routes.define({
  method: 'GET',
  path: '/proxies/:id/stats',
  role: 'viewer',
  summary: 'Summarize the traffic of a proxy',
  parts: {
    params: ById,
    query: Exact({ hours: Type.Integer({ minimum: 1, maximum: 8_760, default: 24 }) }),
    response: ProxyStats,
  },
  errors: ['not_found'],
});

export const getProxyTokens = routes.define({
  method: 'GET',
  path: '/proxies/:id/tokens',
  role: 'viewer',
  summary: 'Summarize the tokens of an LLM proxy; other proxies answer 400',
  parts: {
    params: ById,
    query: Exact({ days: Type.Integer({ minimum: 1, maximum: 366, default: 30 }) }),
    response: TokenUsage,
  },
  errors: ['not_found'],
});

export const listProxyAlerts = routes.define({
  method: 'GET',
  path: '/proxies/:id/alerts',
  role: 'viewer',
  summary: 'List the alerts of a proxy, newest first',
  parts: { params: ById, query: ProxyAlertListQuery, response: AlertPage },
  errors: ['not_found'],
});
