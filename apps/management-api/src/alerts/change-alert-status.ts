import type { AlertStatus } from '@portcullis/contracts/records';
import type { BulkOutcome, BulkResult } from '@portcullis/contracts/routes/alerts';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import type { Database } from '@portcullis/platform/database/database';
import type { Tables } from '@portcullis/platform/database/tables';
import { sql, type RawBuilder, type SqlBool, type Transaction } from 'kysely';
import { auditEntry, type AuditedCall, type AuditedChange } from '@portcullis/platform/audit/audited';
import { alertColumns, type AlertRow } from '@portcullis/platform/alerts/alert-rows';
import { isClosed, nextStatuses } from './alert-status.ts';

export interface StatusChange {
  readonly result: BulkResult;
  /** The alerts that have changed, as they are now. */
  readonly moved: readonly AlertRow[];
  /** The status of each alert before, by its id. */
  readonly before: ReadonlyMap<number, AlertStatus>;
}

/** Where alerts are to go, and why. */
export interface MoveTarget {
  readonly to: AlertStatus;
  readonly reason?: string | undefined;
  /** Closed alerts become new; otherwise there is no way back. */
  readonly reopens?: boolean;
  /** Asked again once the alerts are locked: those that do not meet it any more count as not found. */
  readonly condition?: RawBuilder<SqlBool> | undefined;
}

/**
 * Moves alerts to one status: each that may go there, also where others may not. The
 * rows are locked first, in the order of their ids, so a request that comes at the same time sees the
 * outcome and no two calls wait for each other.
 * @param describe what is written into the audit log when anything has moved
 */
export function changeAlertStatus(
  database: Database,
  call: AuditedCall,
  ids: readonly number[],
  target: MoveTarget,
  describe: (move: StatusChange) => AuditedChange,
): Promise<StatusChange> {
  return database.kysely.transaction().execute(async (transaction) => {
    const current = await lockAlerts(transaction, ids, target);
    const results = ids.map((id) => ({ id, ...judge(current.get(id), target) }));
    const movable = [...new Set(results.filter(({ outcome }) => outcome === 'updated').map(({ id }) => id))];
    const moved = movable.length === 0 ? [] : await saveStatusChanges(transaction, call, movable, target, current);
    const move = { result: { ...countOutcomes(results), results }, moved, before: current };
    if (moved.length > 0) await recordAudit(transaction, auditEntry(call, describe(move)));
    return move;
  });
}

/** What a change would come to. */
export async function previewStatusChange(database: Database, ids: readonly number[], target: MoveTarget) {
  const rows = await database.kysely
    .selectFrom('alerts')
    .select(['id', 'status'])
    .where('id', '=', sql<number>`any(${ids})`)
    .where('deleted_at', 'is', null)
    .$narrowType<{ status: AlertStatus }>()
    .execute();
  const current = new Map(rows.map(({ id, status }) => [id, status]));
  return countOutcomes(ids.map((id) => judge(current.get(id), target)));
}

async function lockAlerts(transaction: Transaction<Tables>, ids: readonly number[], { condition }: MoveTarget) {
  const rows = await transaction
    .selectFrom('alerts')
    .select(['id', 'status'])
    .where('id', '=', sql<number>`any(${ids})`)
    .where('deleted_at', 'is', null)
    .where(condition ?? sql<SqlBool>`true`)
    .orderBy('id')
    .forUpdate()
    .$narrowType<{ status: AlertStatus }>()
    .execute();
  return new Map(rows.map(({ id, status }) => [id, status]));
}

function judge(
  status: AlertStatus | undefined,
  { to, reopens = false }: MoveTarget,
): { outcome: BulkOutcome; status: AlertStatus | null } {
  if (status === undefined) return { outcome: 'not_found', status: null };
  if (status === to) return { outcome: 'unchanged', status };
  const mayMove = reopens ? isClosed(status) : nextStatuses(status).includes(to);
  return mayMove ? { outcome: 'updated', status: to } : { outcome: 'not_allowed', status };
}

async function saveStatusChanges(
  transaction: Transaction<Tables>,
  { caller }: AuditedCall,
  ids: readonly number[],
  { to, reason }: MoveTarget,
  before: ReadonlyMap<number, AlertStatus>,
): Promise<readonly AlertRow[]> {
  await transaction
    .insertInto('alert_events')
    .values(
      ids.map((id) => ({
        alert_id: id,
        event: 'status',
        from_status: before.get(id) ?? to,
        to_status: to,
        note: reason ?? null,
        ...actorColumns(caller),
      })),
    )
    .execute();
  const { rows } = await sql<AlertRow>`
    update alerts set status = ${to}, updated_at = greatest(now(), created_at) where id = any(${ids})
    returning ${alertColumns}`.execute(transaction);
  return rows.toSorted((a, b) => a.id - b.id);
}

export const actorColumns = (caller: AuditedCall['caller']) => ({
  actor_id: caller?.id ?? null,
  actor: caller === undefined ? '' : caller.kind === 'user' ? caller.username : caller.name,
});

const countOutcomes = (results: readonly { readonly outcome: BulkOutcome }[]) => {
  const count = (wanted: BulkOutcome) => results.filter(({ outcome }) => outcome === wanted).length;
  return {
    updated: count('updated'),
    unchanged: count('unchanged'),
    not_allowed: count('not_allowed'),
    not_found: count('not_found'),
  };
};
