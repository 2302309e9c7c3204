import { alertStatuses, type AlertStatus } from '@portcullis/contracts/records';
import { listAlertGroups } from '@portcullis/contracts/routes/alert-groups';
import {
  bulkAcknowledgeAlerts,
  bulkResolveAlerts,
  deleteAlert as deleteAlertRoute,
  deleteOldAlerts,
  exportAlerts,
  getAlert,
  getAlertStats,
  listAlerts,
  setAlertStatus,
} from '@portcullis/contracts/routes/alerts';
import { renderAlert, type AlertRow } from '@portcullis/platform/alerts/alert-rows';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import type { Bus } from '@portcullis/platform/coordination/coordination';
import type { Database } from '@portcullis/platform/database/database';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { auditEntry, type AuditedCall } from '@portcullis/platform/audit/audited';
import { loadAlertFilterOrThrow, parsePagingOrThrow } from './alert-filter.ts';
import { findAlertDetail, findAlertOrThrow, unknownAlert } from './alert-queries.ts';
import { loadAlertStats } from './alert-stats.ts';
import { nextStatuses, parseAlertStatus } from './alert-status.ts';
import { deleteAlert, deleteAlertsBefore } from './delete-alerts.ts';
import { exportCsv, exportJson } from './export-alerts.ts';
import { loadAlertGroups } from './load-alert-groups.ts';
import { loadAlertPage } from './load-alert-page.ts';
import { changeAlertStatus, type MoveTarget } from './change-alert-status.ts';
import { publishAlerts } from './publish-alerts.ts';
import { parseRangeMs } from './time-window.ts';

interface AlertParts {
  readonly database: Database;
  readonly bus: Bus;
}

export const alertRoutes = (database: Database, bus: Bus): BoundRoute[] =>
  [
    bindListAlerts,
    bindListAlertGroups,
    bindGetAlertStats,
    bindExportAlerts,
    bindGetAlert,
    bindSetAlertStatus,
    bindBulkAcknowledgeAlerts,
    bindBulkResolveAlerts,
    bindDeleteAlert,
    bindDeleteOldAlerts,
  ].map((bindRoute) => bindRoute({ database, bus }));

const bindListAlerts = ({ database }: AlertParts): BoundRoute =>
  bind(listAlerts, async ({ query, caller }) => ({
    data: await loadAlertPage(
      database,
      await loadAlertFilterOrThrow(database, query, { caller }),
      parsePagingOrThrow(query),
    ),
  }));

const bindGetAlertStats = ({ database }: AlertParts): BoundRoute =>
  bind(getAlertStats, async ({ query, caller }) => ({
    data: await loadAlertStats(database, await loadAlertFilterOrThrow(database, query, { caller }), new Date()),
  }));

const bindListAlertGroups = ({ database }: AlertParts): BoundRoute =>
  bind(listAlertGroups, async ({ query: { by, limit, offset, ...query }, caller }) => ({
    data: await loadAlertGroups(database, await loadAlertFilterOrThrow(database, query, { caller }), {
      by,
      limit,
      offset,
    }),
  }));

const bindExportAlerts = ({ database }: AlertParts): BoundRoute =>
  bind(exportAlerts, async ({ query: { format, ...query }, ...call }) => {
    const filter = await loadAlertFilterOrThrow(database, query, call);
    const entry = auditEntry(call, { event: 'alert.exported', resource: null, details: { format, ...query } });
    await recordAudit(database.kysely, entry);
    const fileName = `alerts-${new Date().toISOString().slice(0, 10)}.${format}`;
    return format === 'csv'
      ? { stream: exportCsv(database, filter), contentType: 'text/csv; charset=utf-8', fileName }
      : { stream: exportJson(database, filter), contentType: 'application/json; charset=utf-8', fileName };
  });

const bindGetAlert = ({ database }: AlertParts): BoundRoute =>
  bind(getAlert, async ({ params }) => {
    const alert = await findAlertDetail(database, params.id);
    if (alert === undefined) throw unknownAlert(params.id);
    return { data: alert };
  });

const bindSetAlertStatus = (parts: AlertParts): BoundRoute =>
  bind(setAlertStatus, async (call) => {
    const status = parseAlertStatus(call.body.status);
    if (status === undefined) throw refuseStatus(`must be one of ${alertStatuses.slice(1).join(', ')}`);
    const alert = await moveOne(parts, call, call.params.id, { to: status, reason: call.body.reason });
    return { data: renderAlert(alert), message: `The alert is ${alert.status}` };
  });

const bindBulkAcknowledgeAlerts = (parts: AlertParts): BoundRoute =>
  bind(bulkAcknowledgeAlerts, (call) => moveMany(parts, call, call.body, 'acknowledged'));

const bindBulkResolveAlerts = (parts: AlertParts): BoundRoute =>
  bind(bulkResolveAlerts, (call) => moveMany(parts, call, call.body, 'resolved'));

const bindDeleteAlert = ({ database }: AlertParts): BoundRoute =>
  bind(deleteAlertRoute, async (call) => {
    if (!(await deleteAlert(database, call, call.params.id))) throw unknownAlert(call.params.id);
    return { message: 'The alert is deleted' };
  });

const bindDeleteOldAlerts = ({ database }: AlertParts): BoundRoute =>
  bind(deleteOldAlerts, async (call) => {
    const before = new Date(Date.now() - parseRangeMs(call.query.older_than));
    const deleted = await deleteAlertsBefore(database, call, before);
    return { data: { deleted }, message: `${deleted} alerts are deleted` };
  });

async function moveOne(
  { database, bus }: AlertParts,
  call: AuditedCall,
  id: number,
  target: MoveTarget,
): Promise<AlertRow> {
  const { to, reason } = target;
  const { result, moved } = await changeAlertStatus(database, call, [id], target, ({ moved: [alert], before }) => ({
    event: 'alert.status.changed',
    resource: { type: 'alert', id, name: alert?.title ?? null },
    before: { status: before.get(id) },
    after: { status: to },
    ...(reason !== undefined && { details: { reason } }),
  }));
  await publishAlerts(bus, moved);
  const [alert] = moved;
  if (alert !== undefined) return alert;
  const { outcome, status } = result.results[0] ?? { outcome: 'not_found', status: null };
  // Nothing is moved to where it begins, also what is still there.
  if ((outcome !== 'not_allowed' && to !== 'new') || status === null) return findAlertOrThrow(database, id);
  throw refuseStatus(`cannot follow ${status}; possible: ${nextStatuses(status).join(', ') || 'nothing'}`);
}

async function moveMany(
  { database, bus }: AlertParts,
  call: AuditedCall,
  { alert_ids: ids, reason }: { readonly alert_ids: readonly number[]; readonly reason?: string },
  to: AlertStatus,
) {
  const { result, moved } = await changeAlertStatus(
    database,
    call,
    ids,
    { to, reason },
    ({ result: { results, ...counts } }) => ({
      event: 'alert.bulk.updated',
      resource: null,
      result: counts.updated === results.length ? 'success' : 'partial',
      details: { status: to, ...counts, ...(reason !== undefined && { reason }), alert_ids: ids },
    }),
  );
  await publishAlerts(bus, moved);
  return { data: result, message: `${result.updated} of ${ids.length} alerts are ${to} now` };
}

const refuseStatus = (rule: string): GatewayError =>
  new GatewayError('bad_request', { problems: [{ path: '/body/status', rule }] });
