import type { AlertBulkBody, AlertBulkCounts } from '@portcullis/contracts/routes/alert-work';
import type { AuditedCall } from '@portcullis/platform/audit/audited';
import type { Bus } from '@portcullis/platform/coordination/coordination';
import type { Database } from '@portcullis/platform/database/database';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { alertConditions } from './alert-conditions.ts';
import { loadAlertFilterOrThrow, type AlertFilter } from './alert-filter.ts';
import { parseAlertStatus } from './alert-status.ts';
import { changeAlertStatus, previewStatusChange, type MoveTarget } from './change-alert-status.ts';
import { publishAlerts } from './publish-alerts.ts';
import { findByText, isSearch } from './search-alerts.ts';

/** What one call may change. */
const maxMatched = 10_000;
/** One transaction's worth: few enough that no request waits long for the counters of a day. */
const batchSize = 500;

interface BulkParts {
  readonly database: Database;
  readonly bus: Bus;
}

/** Changes the status of many alerts, batch by batch, each with its audit record. */
export async function bulkUpdate(
  { database, bus }: BulkParts,
  call: AuditedCall,
  body: AlertBulkBody,
): Promise<AlertBulkCounts> {
  const { dry_run: isDry = false, filter, reason } = body;
  const { ids, reach, condition } = await findMatchedOrThrow(database, call, body);
  const target = { ...parseTargetOrThrow(body), condition };
  const matched = ids.length;
  if (isDry) return { matched, ...(await previewStatusChange(database, ids, target)), dry_run: true, ...reach };
  if (body.count !== undefined && body.count !== matched) {
    const message = `${matched} alerts match now, not ${body.count}: look at them again, or end the filter with date_to`;
    throw new GatewayError('conflict', { message });
  }
  const sum = { updated: 0, unchanged: 0, not_allowed: 0, not_found: 0 };
  for (let start = 0; start < matched; start += batchSize) {
    const batch = ids.slice(start, start + batchSize);
    const { result, moved } = await changeAlertStatus(
      database,
      call,
      batch,
      target,
      ({ result: { results, ...counts } }) => ({
        event: 'alert.bulk.updated',
        resource: null,
        result: counts.updated === results.length ? 'success' : 'partial',
        details: {
          status: target.to,
          ...counts,
          ...(reason !== undefined && { reason }),
          ...(filter !== undefined && { filter }),
          matched,
          alert_ids: batch,
        },
      }),
    );
    for (const outcome of ['updated', 'unchanged', 'not_allowed', 'not_found'] as const)
      sum[outcome] += result[outcome];
    await publishAlerts(bus, moved);
  }
  return { matched, ...sum, dry_run: false, ...reach };
}

function parseTargetOrThrow({ status, reason }: AlertBulkBody): MoveTarget {
  const to = parseAlertStatus(status);
  if (to === undefined) {
    throw refuse('status', 'must be one of acknowledged, in_progress, resolved, false_positive, new');
  }
  return { to, reason, reopens: to === 'new' };
}

interface Matched {
  readonly ids: readonly number[];
  readonly reach?: Pick<AlertBulkCounts, 'searched' | 'searched_from'> | undefined;
  readonly condition?: RawBuilder<SqlBool>;
}

async function findMatchedOrThrow(database: Database, call: AuditedCall, body: AlertBulkBody): Promise<Matched> {
  const { alert_ids: given, filter, dry_run: isDry, count } = body;
  if ((given === undefined) === (filter === undefined)) throw refuse('filter', 'must stand in place of alert_ids');
  if (filter === undefined) return { ids: [...new Set(given)] };
  if (isDry !== true && count === undefined) throw refuse('count', 'is required with a filter: a dry run tells it');
  const parsed = await loadAlertFilterOrThrow(database, filter, { caller: call.caller, path: '/body/filter' });
  const found = await findIds(database, parsed);
  if (found.ids.length > maxMatched) throw refuse('filter', `must match ${maxMatched} alerts at most`);
  // Somebody may take one of them on before its batch is locked.
  return { ...found, condition: alertConditions(parsed) };
}

async function findIds({ kysely }: Database, filter: AlertFilter) {
  const most = maxMatched + 1;
  if (isSearch(filter)) return findByText(kysely, filter, most);
  const { rows } = await sql<{ id: number }>`
    select id from alerts where ${alertConditions(filter)} order by created_at desc, id desc limit ${most}`.execute(
    kysely,
  );
  return { ids: rows.map(({ id }) => id), reach: undefined };
}

const refuse = (field: string, rule: string): GatewayError =>
  new GatewayError('bad_request', { problems: [{ path: `/body/${field}`, rule }] });
