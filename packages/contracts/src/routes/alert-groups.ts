import { Type, type Static } from 'typebox';
import { Count, EvidenceId, Exact, Nullable, Timestamp } from '../fields.ts';
import { severities } from '../records.ts';
import { createRouteList } from '../route.ts';
import { alertFilters, searchReach } from './alerts.ts';

export const routes = createRouteList('Alerts');

const alertGroupings = ['rule', 'caller', 'rule_caller'] as const;

const AlertGroup = Exact(
  {
    policy_name: Nullable(Type.String({ description: 'null when grouped by caller alone' })),
    rule_id: Nullable(Type.String()),
    user_identity: Nullable(
      Type.String({ description: 'null for callers without an identity, and when grouped by rule alone' }),
    ),
    user_group: Nullable(Type.String()),
    count: Count,
    open: Type.Integer({ minimum: 0, description: 'Neither resolved nor false positives' }),
    severity: Type.Enum(severities, { description: 'The gravest' }),
    first_at: Timestamp,
    latest_at: Timestamp,
    latest_id: EvidenceId,
  },
  { title: 'AlertGroup' },
);
export type AlertGroup = Static<typeof AlertGroup>;

export const AlertGroupQuery = Exact({
  ...alertFilters,
  by: Type.Enum(alertGroupings, { default: 'rule_caller' }),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 20 }),
  offset: Type.Integer({ minimum: 0, maximum: 100_000, default: 0 }),
});
export type AlertGroupQuery = Static<typeof AlertGroupQuery>;

export const listAlertGroups = routes.define({
  method: 'GET',
  path: '/system/alerts/groups',
  role: 'viewer',
  summary: 'Group alerts by rule and caller, the largest groups first',
  parts: {
    query: AlertGroupQuery,
    response: Exact({
      groups: Type.Array(AlertGroup),
      total: Type.Integer({ minimum: 0, description: 'How many groups there are' }),
      counted: Type.Integer({ minimum: 0, description: 'How many alerts the groups have' }),
      counted_from: Nullable({
        ...Timestamp,
        description: 'null when all alerts were counted; else the newest were, from this time on',
      }),
      limit: Count,
      offset: Count,
      ...searchReach,
    }),
  },
});
