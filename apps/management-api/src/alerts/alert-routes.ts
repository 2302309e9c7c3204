import { liveEventsTopic, type LiveEvent } from '@portcullis/contracts/events';
import { alertStatuses } from '@portcullis/contracts/records';
import { listAlerts, setAlertStatus } from '@portcullis/contracts/routes/alerts';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import type { Bus } from '@portcullis/platform/coordination/coordination';
import type { Database } from '@portcullis/platform/database/database';
import { bind, type BoundRoute, type Call } from '@portcullis/platform/http/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { auditEntry } from '../audit/audited.ts';
import { parseAlertFilterOrThrow } from './alert-filter.ts';
import { findAlert, loadAlertPage, renderAlert, updateAlertStatus } from './alert-queries.ts';
import { nextStatuses, parseAlertStatus } from './alert-status.ts';

export const alertRoutes = (database: Database, bus: Bus): BoundRoute[] => [
  bind(listAlerts, async ({ query }) => ({ data: await loadAlertPage(database, parseAlertFilterOrThrow(query)) })),

  bind(setAlertStatus, async (call) => {
    const alert = await moveAlertOrThrow(database, call);
    const event: LiveEvent = { type: 'alert', payload: alert };
    // The change is stored; that nobody hears of it at once is no reason to report a failure.
    await bus.publish(liveEventsTopic, event).catch(() => undefined);
    return { data: alert, message: `The alert is ${alert.status}` };
  }),
];

async function moveAlertOrThrow(database: Database, call: Call<typeof setAlertStatus.parts>) {
  const { id } = call.params;
  const status = parseAlertStatus(call.body.status);
  if (status === undefined) throw refuseStatus(`must be one of ${alertStatuses.slice(1).join(', ')}`);

  // Somebody may move it between the two statements; then it is looked at again.
  for (;;) {
    const alert = await findAlert(database, id);
    if (alert === undefined) throw new GatewayError('not_found', { message: `There is no alert ${id}` });
    if (alert.status === status) return renderAlert(alert);
    const allowed = nextStatuses(alert.status);
    if (!allowed.includes(status)) {
      throw refuseStatus(`cannot follow ${alert.status}; possible: ${allowed.join(', ') || 'nothing'}`);
    }
    const moved = await database.kysely.transaction().execute(async (transaction) => {
      const row = await updateAlertStatus({ kysely: transaction }, id, alert.status, status);
      const change = {
        event: 'alert.status.changed',
        resource: { type: 'alert', id, name: alert.title },
        before: { status: alert.status },
        after: { status },
      } as const;
      if (row !== undefined) await recordAudit(transaction, auditEntry(call, change));
      return row;
    });
    if (moved !== undefined) return renderAlert(moved);
  }
}

const refuseStatus = (rule: string): GatewayError =>
  new GatewayError('bad_request', { problems: [{ path: '/body/status', rule }] });
