import {
  addAlertNote,
  assignAlert,
  bulkUpdateAlerts,
  listAlertAssignees,
  listAlertNotes,
  reopenAlert,
} from '@portcullis/contracts/routes/alert-work';
import { renderAlert } from '@portcullis/platform/alerts/alert-rows';
import type { Bus } from '@portcullis/platform/coordination/coordination';
import type { Database } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { addNote, loadNotes } from './alert-notes.ts';
import { findAlertOrThrow, unknownAlert } from './alert-queries.ts';
import { assignOne, listAssignees } from './assign-alerts.ts';
import { bulkUpdate } from './bulk-alerts.ts';
import { changeAlertStatus } from './change-alert-status.ts';
import { publishAlerts } from './publish-alerts.ts';

interface WorkParts {
  readonly database: Database;
  readonly bus: Bus;
}

export const alertWorkRoutes = (database: Database, bus: Bus): BoundRoute[] =>
  [bindAddNote, bindListNotes, bindAssign, bindListAssignees, bindReopen, bindBulk].map((bindRoute) =>
    bindRoute({ database, bus }),
  );

const bindAddNote = ({ database, bus }: WorkParts): BoundRoute =>
  bind(addAlertNote, async (call) => {
    const { id } = call.params;
    const note = await addNote(database, call, id, call.body.text);
    if (note === undefined) throw unknownAlert(id);
    await publishChanged({ database, bus }, id);
    return { data: note, message: 'The note is added' };
  });

const bindListNotes = ({ database }: WorkParts): BoundRoute =>
  bind(listAlertNotes, async ({ params, query }) => ({
    data: await readConsistent(database, async (moment) => {
      await findAlertOrThrow(moment, params.id);
      return { ...(await loadNotes(moment, params.id, query)), ...query };
    }),
  }));

const bindAssign = ({ database, bus }: WorkParts): BoundRoute =>
  bind(assignAlert, async (call) => {
    const { id } = call.params;
    const isChanged = await assignOne(database, call, id, call.body.user_id);
    if (isChanged === undefined) throw unknownAlert(id);
    const alert = await findAlertOrThrow(database, id);
    if (isChanged) await publishAlerts(bus, [alert]);
    const message =
      alert.assignee === null ? 'The alert is assigned to nobody' : `The alert is ${alert.assignee.username}'s`;
    return { data: renderAlert(alert), message };
  });

const bindListAssignees = ({ database }: WorkParts): BoundRoute =>
  bind(listAlertAssignees, async ({ query }) => ({
    data: await readConsistent(database, (moment) => listAssignees(moment, query)),
  }));

const bindReopen = ({ database, bus }: WorkParts): BoundRoute =>
  bind(reopenAlert, async (call) => {
    const { id } = call.params;
    const { reason } = call.body;
    const target = { to: 'new', reason, reopens: true } as const;
    const { result, moved } = await changeAlertStatus(database, call, [id], target, ({ moved: [alert], before }) => ({
      event: 'alert.reopened',
      resource: { type: 'alert', id, name: alert?.title ?? null },
      before: { status: before.get(id) },
      after: { status: 'new' },
      ...(reason !== undefined && { details: { reason } }),
    }));
    const [alert] = moved;
    if (alert !== undefined) {
      await publishAlerts(bus, moved);
      return { data: renderAlert(alert), message: 'The alert is open again' };
    }
    const [{ outcome, status } = { outcome: 'not_found', status: null }] = result.results;
    if (outcome === 'not_found') throw unknownAlert(id);
    throw new GatewayError('conflict', { message: `The alert is ${status}: it is not closed` });
  });

const bindBulk = (parts: WorkParts): BoundRoute =>
  bind(bulkUpdateAlerts, async (call) => {
    const counts = await bulkUpdate(parts, call, call.body);
    const verb = counts.dry_run ? 'would change' : 'have changed';
    return { data: counts, message: `${counts.updated} of ${counts.matched} alerts ${verb}` };
  });

async function publishChanged({ database, bus }: WorkParts, id: number): Promise<void> {
  // It may be deleted meanwhile.
  const alert = await findAlertOrThrow(database, id).catch(() => undefined);
  if (alert !== undefined) await publishAlerts(bus, [alert]);
}
