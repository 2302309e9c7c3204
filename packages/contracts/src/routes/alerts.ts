import { Type, type Static } from 'typebox';
import { Count, EvidenceId, Exact, Id, Nullable, Timestamp, optional } from '../fields.ts';
import { alertActions, alertCategories, alertStatuses, proxyTypes, severities } from '../records.ts';
import { dates, filtersOf, synonymOf } from '../list-filters.ts';
import { createRouteList } from '../route.ts';

export const routes = createRouteList('Alerts');

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
    proxy_type: Nullable(Type.Enum(proxyTypes)),
    source: Type.String({ description: 'Client address' }),
    target: Type.String({ description: 'What was called' }),
    rule_id: Type.String(),
    policy_name: Type.String(),
    user_identity: Nullable(Type.String()),
    user_type: Nullable(Type.Enum(['apikey', 'user'])),
    user_group: Nullable(Type.String()),
    assignee: Nullable(
      Exact({ id: Id, username: Type.String() }, { description: 'Who works on it; null: nobody was named' }),
    ),
    raw_data: Type.Record(Type.String(), Type.Unknown(), { description: 'Findings, with masked evidence' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Alert' },
);

export const AlertNote = Exact(
  {
    id: EvidenceId,
    at: Timestamp,
    author: Type.String({ description: 'Name of the user' }),
    author_id: Nullable(Id),
    text: Type.String(),
  },
  { title: 'AlertNote' },
);
export type AlertNote = Static<typeof AlertNote>;

export const AlertDetail = Exact(
  {
    ...Alert.properties,
    timeline: Type.Array(
      Exact({
        at: Timestamp,
        actor: Type.String({ description: 'Name of the user' }),
        actor_id: Nullable(Id),
        event: Type.Enum(['status', 'assignee']),
        from: Type.Enum(alertStatuses),
        to: Type.Enum(alertStatuses, { description: 'The same as from where somebody was assigned' }),
        reason: Nullable(Type.String({ description: 'Why, as the one who changed the status said' })),
        assignee: Nullable(Type.String({ description: 'Name of who was assigned; null: nobody any more' })),
      }),
      { description: 'Changes of the status and of who works on it, the latest 500, oldest first' },
    ),
    notes: Type.Array(AlertNote, { description: 'The latest 50, oldest first' }),
    note_count: Count,
    deliveries: Type.Array(
      Exact({
        channel: Type.String(),
        status: Type.Enum(['retrying', 'delivered', 'dead', 'grouped'], {
          description: 'grouped: it waits for its digest',
        }),
        attempts: Count,
        last_error: Nullable(Type.String()),
        updated_at: Timestamp,
        digest_id: Nullable(
          Type.String({ description: 'Of the digest that it was told of in; null: it was sent by itself' }),
        ),
      }),
      { description: 'What became of it on each outbound channel' },
    ),
  },
  { title: 'AlertDetail' },
);
export type AlertDetail = Static<typeof AlertDetail>;

/** How far a search got. */
export const searchReach = {
  searched: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'With search: how many alerts were looked through, the newest of those that pass the other filters',
    }),
  ),
  searched_from: Type.Optional(
    Nullable({
      ...Timestamp,
      description:
        'With search: null when all were looked through; else the time of the oldest, and the date_to that goes on from there',
    }),
  ),
};

const ListedAlert = Exact(
  { ...Alert.properties, raw_data: Type.Optional(Alert.properties.raw_data) },
  { title: 'ListedAlert' },
);
export type ListedAlert = Static<typeof ListedAlert>;

export const AlertPage = Exact({
  alerts: Type.Array(ListedAlert),
  total: Count,
  limit: Count,
  offset: Count,
  page: Type.Integer({ minimum: 1 }),
  total_pages: Count,
  ...searchReach,
});
export type AlertPage = Static<typeof AlertPage>;

/** One of the values or several with commas between, in any case. */
const CommaList = Type.String({
  maxLength: 200,
  pattern: '^[A-Za-z0-9_ ]+(,[A-Za-z0-9_ ]+)*$',
  'x-allowed': 'words with commas between',
});
const Names = Type.String({ maxLength: 1_000, description: 'One name, or several with commas between' });
/** Which time a list is of. */
export const times = optional({
  ...dates,
  hours: Type.Integer({ minimum: 1, maximum: 87_600, description: 'Only the latest, in hours' }),
});
const AlertTimes = Exact(times);
export type AlertTimes = Static<typeof AlertTimes>;

/** Which alerts are wanted, for lists, groups, statistics and exports. */
export const alertFilters = {
  ...filtersOf('proxy', 'team', 'key', 'user', 'request_id'),
  ...optional({
    proxy_id: synonymOf('proxy', Id),
    user_identity: synonymOf('user', Names),
    user_group: synonymOf('team', Names),
    severity: CommaList,
    status: CommaList,
    category: CommaList,
    action: CommaList,
    proxy_type: CommaList,
    policy_name: Names,
    rule_id: Names,
    shadow: Type.Boolean({ description: 'true: only what policies in shadow mode found; false: only the rest' }),
    assignee: Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: 'Names of users with commas between; me: who asks; none: nobody was named',
    }),
    search: Type.String({
      maxLength: 200,
      description: 'Part of title, description, rule, policy, source or target, or a whole request id',
    }),
  }),
  ...times,
};
const AlertFilters = Exact(alertFilters);
type OlderAlertFilters = 'proxy_id' | 'user_identity' | 'user_group';
export type AlertFilters = Omit<Static<typeof AlertFilters>, OlderAlertFilters>;

const list = {
  ...alertFilters,
  sort: Type.Enum(['created_at', 'severity', 'status'], { default: 'created_at' }),
  order: Type.Enum(['asc', 'desc'], { default: 'desc', description: 'desc: newest or gravest first' }),
  limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 20 }),
  include_raw_data: Type.Boolean({
    default: true,
    description: 'false: without `raw_data`, the larger part of an alert',
  }),
  ...optional({
    offset: Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: '0 unless given' }),
    page: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Counted from 1, instead of offset' }),
  }),
};
export const AlertListQuery = Exact(list);
export type AlertListQuery = Omit<Static<typeof AlertListQuery>, OlderAlertFilters>;

const { proxy: _, proxy_id: __, ...listOfProxy } = list;
/** The list of one proxy takes everything but the proxy. */
export const ProxyAlertListQuery = Exact(listOfProxy);

export const listAlerts = routes.define({
  method: 'GET',
  path: '/system/alerts',
  role: 'viewer',
  summary: 'List alerts, newest first',
  parts: { query: AlertListQuery, response: AlertPage },
});

export const getAlert = routes.define({
  method: 'GET',
  path: '/system/alerts/:id',
  role: 'viewer',
  summary: 'Show an alert with its history, its notes and its deliveries',
  parts: { params: Exact({ id: EvidenceId }), response: AlertDetail },
  errors: ['not_found'],
});

/** Why a status was changed; kept in the history of the alert and in the audit log. */
export const Reason = Type.String({
  maxLength: 2_000,
  pattern: '\\S',
  'x-allowed': 'a text that is not blank',
});

const Tally = (names: readonly string[]) =>
  Exact(Object.fromEntries(names.map((name) => [name, Count])) as Record<string, typeof Count>);
const Top = Type.Array(Exact({ name: Type.String(), count: Count }), { description: 'The ten with the most alerts' });

export const AlertStats = Exact(
  {
    from: Nullable(Timestamp),
    to: Nullable(Timestamp),
    total: Count,
    by_severity: Tally(severities),
    by_status: Tally(alertStatuses),
    by_category: Tally(alertCategories),
    by_action: Tally(alertActions),
    top_policies: Top,
    top_rules: Top,
    top_sources: Top,
    tops_from: Nullable({
      ...Timestamp,
      description: 'null when the tops are of all these alerts; else they are of the newest, from this time on',
    }),
    last_6h: Exact({ total: Count, by_severity: Tally(severities) }),
    interval: Type.Enum(['hour', 'day']),
    series: Type.Array(Exact({ start: Timestamp, count: Count }), {
      description: 'Alerts in each hour of windows up to two days, of longer ones in each UTC day; none without any',
    }),
    ...searchReach,
  },
  { title: 'AlertStats' },
);
export type AlertStats = Static<typeof AlertStats>;

export const getAlertStats = routes.define({
  method: 'GET',
  path: '/system/alerts/stats',
  role: 'viewer',
  summary: 'Count alerts by severity, status, category, action, policy and source, under the filters of the list',
  parts: { query: AlertFilters, response: AlertStats },
});

export const exportAlerts = routes.define({
  method: 'GET',
  path: '/system/alerts/export',
  role: 'viewer',
  summary: 'Export alerts, newest first',
  contentType: ['application/json; charset=utf-8', 'text/csv; charset=utf-8'],
  parts: { query: Exact({ ...alertFilters, format: Type.Enum(['json', 'csv'], { default: 'json' }) }) },
  audit: 'alert.exported',
});

export const setAlertStatus = routes.define({
  method: 'PUT',
  path: '/system/alerts/:id/status',
  role: 'operator',
  summary: 'Change the status of an alert, forward in its workflow',
  parts: {
    params: Exact({ id: EvidenceId }),
    body: Exact({
      status: Type.String({
        maxLength: 20,
        description: 'acknowledged, in_progress (or investigating), resolved or false_positive',
      }),
      reason: Type.Optional(Reason),
    }),
    response: Alert,
  },
  errors: ['not_found'],
  audit: 'alert.status.changed',
});

const bulkOutcomes = ['updated', 'unchanged', 'not_allowed', 'not_found'] as const;
export type BulkOutcome = (typeof bulkOutcomes)[number];

export const BulkResult = Exact(
  {
    updated: Count,
    unchanged: Count,
    not_allowed: Count,
    not_found: Count,
    results: Type.Array(
      Exact({
        id: EvidenceId,
        outcome: Type.Enum(bulkOutcomes),
        status: Nullable(Type.Enum(alertStatuses)),
      }),
      { description: 'One for each id, in the order asked for' },
    ),
  },
  { title: 'AlertBulkResult' },
);
export type BulkResult = Static<typeof BulkResult>;

const bulkBody = Exact({
  alert_ids: Type.Array(EvidenceId, { minItems: 1, maxItems: 1_000 }),
  reason: Type.Optional(Reason),
});

export const bulkAcknowledgeAlerts = routes.define({
  method: 'POST',
  path: '/system/alerts/bulk-acknowledge',
  role: 'operator',
  summary: 'Acknowledge alerts, with a result for each',
  parts: { body: bulkBody, response: BulkResult },
  audit: 'alert.bulk.updated',
});

export const bulkResolveAlerts = routes.define({
  method: 'POST',
  path: '/system/alerts/bulk-resolve',
  role: 'operator',
  summary: 'Resolve alerts, with a result for each',
  parts: { body: bulkBody, response: BulkResult },
  audit: 'alert.bulk.updated',
});

export const deleteAlert = routes.define({
  method: 'DELETE',
  path: '/system/alerts/:id',
  role: 'admin',
  summary: 'Delete an alert; it leaves every list at once, and the database a week later',
  parts: { params: Exact({ id: EvidenceId }) },
  errors: ['not_found'],
  audit: 'alert.deleted',
});

export const deleteOldAlerts = routes.define({
  method: 'DELETE',
  path: '/system/alerts',
  role: 'admin',
  summary: 'Delete the alerts that are older than a time',
  parts: {
    query: Exact({
      older_than: Type.String({
        pattern: '^[1-9]\\d{0,3}[mhd]$',
        'x-allowed': 'a number with m, h or d, such as 24h',
        description: 'For example 30d',
      }),
    }),
    response: Exact({ deleted: Count }),
  },
  audit: 'alert.deleted',
});
