import { Type } from 'typebox';
import { Count, EvidenceId, Exact, Id, Nullable, optional, page } from '../fields.ts';
import { createRouteList } from '../route.ts';
import { Alert, AlertNote, Reason } from './alerts.ts';

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
