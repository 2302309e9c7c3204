import { Type, type Static } from 'typebox';
import { alertActions, severities } from '../records.ts';
import { policyActions } from '../policy-file.ts';
import { Count, EvidenceId, Exact, Name, Nullable, Timestamp } from '../fields.ts';
import { createRouteList } from '../route.ts';

const counts = (names: readonly string[]) => Exact(Object.fromEntries(names.map((name) => [name, Count])));

const ShadowMetrics = Exact(
  {
    proxies: { ...Count, description: 'Proxies that have the policy in shadow mode now; all figures are of these' },
    requests: { ...Count, description: 'Their requests in the period' },
    would_block: { ...Count, description: 'Those of them that the policy would have blocked' },
    would_change: { ...Count, description: 'Those in which it would have redacted or replaced something' },
    complete: Type.Boolean({ description: 'False: only the newest 10,000 alerts of the period were counted' }),
    rules: Type.Array(
      Exact({
        rule_id: Nullable(Type.String()),
        would: Nullable(Type.Enum(policyActions)),
        count: Count,
      }),
      { description: 'By the rule that would have decided, the most frequent first; at most 20' },
    ),
    samples: Type.Array(
      Exact({
        alert_id: EvidenceId,
        request_id: Nullable(Type.String()),
        rule_id: Nullable(Type.String()),
        would: Nullable(Type.Enum(policyActions)),
        created_at: Timestamp,
      }),
      { description: 'The newest 10; their alerts have the masked evidence' },
    ),
  },
  { title: 'ShadowMetrics', description: 'What the policy would have done where it is in shadow mode' },
);
export type ShadowMetrics = Static<typeof ShadowMetrics>;

export const PolicyMetrics = Exact(
  {
    policy_name: Type.String(),
    period_days: Count,
    hits: { ...Count, description: 'Alerts of the policy in the period, deleted ones apart' },
    blocked: { ...Count, description: 'Those of them that blocked' },
    by_action: counts(alertActions),
    by_severity: counts(severities),
    days: Type.Array(Exact({ day: Type.String({ description: 'UTC, YYYY-MM-DD' }), hits: Count }), {
      description: 'Days with hits, oldest first',
    }),
    last_hit_at: Nullable(Timestamp),
    shadow: ShadowMetrics,
    evaluations: { ...Count, description: 'Texts it was held against, since the running processes started' },
    matches: { ...Count, description: 'Those of them in which it found something' },
    average_duration: Type.String({
      description: 'Of a scan that it took part in, with its unit; 0s before the first',
    }),
  },
  { title: 'PolicyMetrics' },
);
export type PolicyMetrics = Static<typeof PolicyMetrics>;

export const routes = createRouteList('Policies');

export const getPolicyMetrics = routes.define({
  method: 'GET',
  path: '/policies/:name/metrics',
  role: 'viewer',
  summary: 'Show how often a policy matched and blocked, when it last did, and how long its scans take',
  parts: {
    params: Exact({ name: { ...Name, description: 'Name or id' } }),
    query: Exact({
      days: Type.Integer({ minimum: 1, maximum: 366, default: 30, description: 'Whole UTC days, today included' }),
    }),
    response: PolicyMetrics,
  },
  errors: ['not_found'],
});
