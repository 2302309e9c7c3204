import { Type, type Static } from 'typebox';
import { Count, EvidenceId, Exact, Id, Nullable, optional, page } from '../fields.ts';
import { createRouteList } from '../route.ts';
import { Alert, alertFilters, AlertNote, Reason, searchReach } from './alerts.ts';

export const routes = createRouteList('Alerts');
const params = Exact({ id: EvidenceId });

export const addAlertNote = routes.define({
  method: 'POST',
  path: '/system/alerts/:id/notes',
  role: 'operator',
  summary: 'Add a note to an alert; notes are never changed, and an alert takes up to 1,000',
  status: 201,
  parts: { params, body: Exact({ text: Reason }), response: AlertNote },
  errors: ['not_found', 'conflict'],
  audit: 'alert.note.added',
});

export const listAlertNotes = routes.define({
  method: 'GET',
  path: '/system/alerts/:id/notes',
  role: 'viewer',
  summary: 'List the notes of an alert, oldest first',
  parts: {
    params,
    query: Exact(page(50)),
    response: Exact({ notes: Type.Array(AlertNote), total: Count, limit: Count, offset: Count }),
  },
  errors: ['not_found'],
});

export const assignAlert = routes.define({
  method: 'PUT',
  path: '/system/alerts/:id/assignee',
  role: 'operator',
  summary: 'Say who works on an alert: an active operator or admin, or nobody',
  parts: {
    params,
    body: Exact({ user_id: Nullable({ ...Id, description: 'null: nobody any more' }) }),
    response: Alert,
  },
  errors: ['not_found'],
  audit: 'alert.assigned',
});

export const reopenAlert = routes.define({
  method: 'POST',
  path: '/system/alerts/:id/reopen',
  role: 'operator',
  summary: 'Make an alert that is resolved or a false positive new again',
  bodyOptional: true,
  parts: { params, body: Exact({ reason: Type.Optional(Reason) }), response: Alert },
  errors: ['not_found', 'conflict'],
  audit: 'alert.reopened',
});

export const listAlertAssignees = routes.define({
  method: 'GET',
  path: '/system/alerts/assignees',
  role: 'operator',
  summary: 'List the users to whom alerts can be assigned, in the order of their names',
  parts: {
    query: Exact({
      ...optional({ search: Type.String({ maxLength: 200, description: 'Part of the name' }) }),
      ...page(50),
    }),
    response: Exact({
      users: Type.Array(Exact({ id: Id, username: Type.String(), role: Type.Enum(['operator', 'admin']) })),
      total: Count,
      limit: Count,
      offset: Count,
    }),
  },
});

const AlertBulkBody = Exact({
  status: Type.String({
    maxLength: 20,
    description: 'acknowledged, in_progress, resolved, false_positive, or new, which reopens what is closed',
  }),
  ...optional({
    reason: Reason,
    alert_ids: Type.Array(EvidenceId, { minItems: 1, maxItems: 1_000, description: 'In place of a filter' }),
    filter: Exact(alertFilters, { description: 'As in lists; may match 10,000 alerts' }),
    dry_run: Type.Boolean({ description: 'Only counts, and changes nothing' }),
    count: {
      ...Count,
      maximum: 1_000_000_000,
      description:
        'With a filter: how many alerts it matches, as a dry run told; refused when it is another number now',
    },
  }),
});
export type AlertBulkBody = Static<typeof AlertBulkBody>;

export const AlertBulkCounts = Exact(
  {
    matched: Count,
    updated: Type.Integer({ minimum: 0, description: 'In a dry run: that would be' }),
    unchanged: Count,
    not_allowed: Count,
    not_found: Type.Integer({
      minimum: 0,
      description: 'Deleted, or changed by somebody else meanwhile, so that the filter matches them no more',
    }),
    dry_run: Type.Boolean(),
    ...searchReach,
  },
  { title: 'AlertBulkCounts' },
);
export type AlertBulkCounts = Static<typeof AlertBulkCounts>;

export const bulkUpdateAlerts = routes.define({
  method: 'POST',
  path: '/system/alerts/bulk',
  role: 'operator',
  summary: 'Change the status of many alerts, by their ids or by a filter whose count is repeated',
  parts: { body: AlertBulkBody, response: AlertBulkCounts },
  errors: ['conflict'],
  audit: 'alert.bulk.updated',
});
