import { Type, type Static } from 'typebox';
import { Count, EvidenceId, Exact, Id, Nullable, Timestamp, optional, page } from '../fields.ts';
import { alertActions, alertCategories, alertStatuses, severities } from '../records.ts';
import { defineRoute } from '../route.ts';

const tag = 'Alerts';

export const alertProxyTypes = ['llm', 'mcp', 'a2a'] as const;

export const Alert = Exact(
  {
    id: EvidenceId,
    request_id: Nullable(Type.String()),
    severity: Type.Enum(severities),
    title: Type.String(),
    description: Type.String(),
    status: Type.Enum(alertStatuses),
    action: Type.Enum(alertActions),
    category: Type.Enum(alertCategories),
    proxy_id: Nullable(Id),
    proxy_type: Nullable(Type.Enum(alertProxyTypes)),
    source: Type.String({ description: 'Client address' }),
    target: Type.String({ description: 'What was called' }),
    rule_id: Type.String(),
    policy_name: Type.String(),
    user_identity: Nullable(Type.String()),
    user_type: Nullable(Type.Enum(['apikey'])),
    user_group: Nullable(Type.String()),
    raw_data: Type.Record(Type.String(), Type.Unknown(), { description: 'Findings, with masked evidence' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Alert' },
);

export const AlertPage = Exact({ alerts: Type.Array(Alert), total: Count, limit: Count, offset: Count });
export type AlertPage = Static<typeof AlertPage>;

/** One of the values or several with commas between, in any case. */
const CommaList = Type.String({ maxLength: 200, pattern: '^[A-Za-z0-9_ ]+(,[A-Za-z0-9_ ]+)*$' });

export const alertFilters = {
  ...optional({
    severity: CommaList,
    status: CommaList,
    proxy_type: CommaList,
    policy_name: Type.String({ maxLength: 1_000, description: 'One name, or several with commas between' }),
    time_range: Type.String({
      pattern: '^[1-9]\\d{0,3}[mhd]$',
      description: 'Only the latest, for example 1h, 24h, 7d',
    }),
    search: Type.String({ maxLength: 200, description: 'Part of title, description, rule, policy, source or target' }),
  }),
  ...page(50),
};
export type AlertFilters = Static<ReturnType<typeof Exact<typeof alertFilters>>>;

export const listAlerts = defineRoute({
  method: 'GET',
  path: '/system/alerts',
  role: 'viewer',
  summary: 'List alerts, newest first',
  tag,
  parts: { query: Exact(alertFilters), response: AlertPage },
  errors: [],
});

export const setAlertStatus = defineRoute({
  method: 'PUT',
  path: '/system/alerts/:id/status',
  role: 'operator',
  summary: 'Move an alert forward in its workflow',
  tag,
  parts: {
    params: Exact({ id: EvidenceId }),
    body: Exact({
      status: Type.String({
        maxLength: 20,
        description: 'acknowledged, in_progress (or investigating), resolved or false_positive',
      }),
    }),
    response: Alert,
  },
  errors: ['not_found'],
  audit: 'alert.status.changed',
});
