import { recordAudit } from '@portcullis/platform/audit/record-audit';
import type { Database } from '@portcullis/platform/database/database';
import { sql } from 'kysely';
import { auditEntry, type AuditedCall } from '@portcullis/platform/audit/audited';
import { actorColumns } from './change-alert-status.ts';

/** Takes an alert out of every list; false when there is no such alert. Retention removes it later. */
export function deleteAlert(database: Database, call: AuditedCall, id: number): Promise<boolean> {
  return database.kysely.transaction().execute(async (transaction) => {
    const deleted = await transaction
      .updateTable('alerts')
      .set({ deleted_at: sql<Date>`now()`, updated_at: sql<Date>`now()` })
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .returning(['title', 'status'])
      .executeTakeFirst();
    if (deleted === undefined) return false;
    const { status, title } = deleted;
    await transaction
      .insertInto('alert_events')
      .values({ alert_id: id, event: 'deleted', from_status: status, to_status: status, ...actorColumns(call.caller) })
      .execute();
    const resource = { type: 'alert', id, name: title };
    await recordAudit(transaction, auditEntry(call, { event: 'alert.deleted', resource }));
    return true;
  });
}

/** One statement's worth: few enough that no request waits long for the counters of a day. */
const batchSize = 2_000;

/** Takes all alerts from before a time out of every list, batch by batch, each with its audit record, and answers how many. */
export async function deleteAlertsBefore(database: Database, call: AuditedCall, before: Date): Promise<number> {
  let deleted = 0;
  for (;;) {
    const count = await deleteBatch(database, call, before);
    deleted += count;
    if (count < batchSize) break;
  }
  return deleted;
}

function deleteBatch({ kysely }: Database, call: AuditedCall, before: Date): Promise<number> {
  return kysely.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ id: number }>`
      update alerts set deleted_at = now(), updated_at = now() where id = any(array(
        select id from alerts where deleted_at is null and created_at < ${before} order by created_at, id
        limit ${batchSize} for update))
      returning id`.execute(transaction);
    const details = { before: before.toISOString(), deleted: rows.length };
    await recordAudit(transaction, auditEntry(call, { event: 'alert.deleted', resource: null, details }));
    return rows.length;
  });
}
