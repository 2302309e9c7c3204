import { Type, type Static } from 'typebox';
import { alertActions, severities } from '../records.ts';
import { Count, Exact, Name, Nullable, Timestamp } from '../fields.ts';
import { createRouteList } from '../route.ts';

const counts = (names: readonly string[]) => Exact(Object.fromEntries(names.map((name) => [name, Count])));

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
