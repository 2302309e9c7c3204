import { Type, type Static } from 'typebox';
import { Count, EvidenceId, Exact, Id, Nullable, Timestamp, optional, page } from '../fields.ts';
import { guardrailCheckActions, guardrailTypes, guardrailVerdicts } from '../guardrail-config.ts';
import { createRouteList } from '../route.ts';

export const routes = createRouteList('Guardrail providers');

/** What a check or a trial found. */
export const outcome = {
  verdict: Type.Enum(guardrailVerdicts),
  categories: Type.Array(Type.String()),
  confidence: Nullable(Type.Number({ minimum: 0, maximum: 1 })),
  latency_ms: Type.Number({ minimum: 0 }),
  tokens: Nullable(Count),
};

export const GuardrailCheck = Exact(
  {
    id: EvidenceId,
    timestamp: Timestamp,
    request_id: Type.String(),
    provider_id: Id,
    provider_name: Type.String(),
    provider_type: Type.Enum(guardrailTypes),
    proxy_id: Id,
    user_group_id: Nullable(Id),
    api_key_id: Nullable(Id),
    direction: Type.Enum(['request', 'response']),
    ...outcome,
    action: Type.Enum(guardrailCheckActions, { description: 'What the check came to' }),
    cached: Type.Boolean({ description: 'The same text had been judged a moment before' }),
    error: Nullable(Type.String()),
    content_preview: Nullable(Type.String()),
  },
  { title: 'GuardrailCheck' },
);
export type GuardrailCheck = Static<typeof GuardrailCheck>;

const Range = Type.String({
  pattern: '^[1-9]\\d{0,3}[mhd]$',
  'x-allowed': 'a number with m, h or d, such as 24h',
  default: '24h',
  description: 'Only the latest, for example 1h, 24h, 7d',
});

const checkFilters = optional({
  provider_id: Id,
  proxy_id: Id,
  user_group_id: Id,
  direction: Type.Enum(['request', 'response']),
  verdict: Type.Enum(guardrailVerdicts),
  action: Type.Enum(guardrailCheckActions),
  category: Type.String({ maxLength: 200 }),
  request_id: Type.String({ maxLength: 128 }),
});

const CheckListQuery = Exact({ ...page(50), ...checkFilters, time_range: Type.String({ ...Range, default: '7d' }) });
export type CheckListQuery = Static<typeof CheckListQuery>;

export const listGuardrailChecks = routes.define({
  method: 'GET',
  path: '/security/guardrails/providers/checks',
  role: 'viewer',
  summary: 'List the checks of guardrail providers, newest first',
  parts: {
    query: CheckListQuery,
    response: Exact({ checks: Type.Array(GuardrailCheck), total: Count, limit: Count, offset: Count }),
  },
});

const Rate = Type.Number({ minimum: 0, maximum: 1, description: 'Of all checks' });

const figures = {
  checks: Count,
  violations: Count,
  violation_rate: Rate,
  errors: Count,
  error_rate: Rate,
  blocked: Count,
  cached: Count,
  average_latency_ms: Type.Number({ minimum: 0, description: 'Of the checks that were not cached' }),
  p95_latency_ms: Type.Number({ minimum: 0 }),
  tokens: Count,
};

export const GuardrailMetrics = Exact(
  {
    time_range: Type.String(),
    ...figures,
    top_categories: Type.Array(Exact({ category: Type.String(), count: Count }), {
      description: 'Of violations; ten at most',
    }),
    providers: Type.Array(Exact({ provider_id: Id, provider_name: Type.String(), ...figures })),
  },
  { title: 'GuardrailMetrics' },
);
export type GuardrailMetrics = Static<typeof GuardrailMetrics>;

const MetricsQuery = Exact({ time_range: Range, ...optional({ provider_id: Id, proxy_id: Id }) });
export type GuardrailMetricsQuery = Static<typeof MetricsQuery>;

export const getGuardrailMetrics = routes.define({
  method: 'GET',
  path: '/security/guardrails/providers/metrics',
  role: 'viewer',
  summary: 'Summarize the checks of guardrail providers: violations, errors, latency, tokens and categories',
  parts: { query: MetricsQuery, response: GuardrailMetrics },
});
