import { liveEventsTopic, type LiveEvent } from '@portcullis/contracts/events';
import { alertStatuses } from '@portcullis/contracts/records';
import { listAlerts, setAlertStatus } from '@portcullis/contracts/routes/alerts';
import type { Bus } from '@portcullis/platform/coordination/coordination';
import type { Database } from '@portcullis/platform/database/database';
import { bind, type BoundRoute } from '@portcullis/platform/http/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { parseAlertFilterOrThrow } from './alert-filter.ts';
import { findAlert, loadAlertPage, renderAlert, updateAlertStatus } from './alert-queries.ts';
import { nextStatuses, parseAlertStatus } from './alert-status.ts';

export const alertRoutes = (database: Database, bus: Bus): BoundRoute[] => [
  bind(listAlerts, async ({ query }) => ({ data: await loadAlertPage(database, parseAlertFilterOrThrow(query)) })),

  bind(setAlertStatus, async ({ params, body }) => {
    const alert = await moveAlertOrThrow(database, params.id, body.status);
    const event: LiveEvent = { type: 'alert', payload: alert };
    // The change is stored; that nobody hears of it at once is no reason to report a failure.
    await bus.publish(liveEventsTopic, event).catch(() => undefined);
    return { data: alert, message: `The alert is ${alert.status}` };
  }),
];

async function moveAlertOrThrow(database: Database, id: number, text: string) {
  const status = parseAlertStatus(text);
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
    const moved = await updateAlertStatus(database, id, alert.status, status);
    if (moved !== undefined) return renderAlert(moved);
  }
}

const refuseStatus = (rule: string): GatewayError =>
  new GatewayError('bad_request', { problems: [{ path: '/body/status', rule }] });
