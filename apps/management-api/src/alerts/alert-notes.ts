import type { AlertNote } from '@portcullis/contracts/routes/alerts';
import { auditEntry, type AuditedCall } from '@portcullis/platform/audit/audited';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import type { Database, Queryable } from '@portcullis/platform/database/database';
import { countRows, loadPage } from '@portcullis/platform/database/list-queries';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { sql } from 'kysely';
import { actorColumns } from './change-alert-status.ts';

/** Of one alert. What more people have to say of it belongs into a ticket. */
const maxNotes = 1_000;

type Part = { readonly newest: number } | { readonly limit: number; readonly offset: number };

const notesOf = ({ kysely }: Queryable, id: number) =>
  kysely.selectFrom('alert_events').where('alert_id', '=', id).where('event', '=', 'note');

/** Notes of an alert, oldest first, and how many there are. */
export async function loadNotes(database: Queryable, id: number, part: Part) {
  const chosen = notesOf(database, id).select(['id', 'at', 'actor as author', 'actor_id as author_id', 'note']);
  const { rows, total } =
    'newest' in part
      ? await loadPage(chosen.orderBy('id', 'desc'), { limit: part.newest, offset: 0 })
      : await loadPage(chosen.orderBy('id'), part);
  const ordered = 'newest' in part ? rows.toReversed() : rows;
  return {
    notes: ordered.map(({ at, note, ...row }): AlertNote => ({ ...row, at: at.toISOString(), text: note ?? '' })),
    total,
  };
}

/** Adds a note, and answers it; undefined when there is no such alert. */
export function addNote(
  database: Database,
  call: AuditedCall,
  id: number,
  text: string,
): Promise<AlertNote | undefined> {
  return database.kysely.transaction().execute(async (transaction) => {
    // The lock of the row lets notes wait for each other, so that none passes the bound.
    const alert = await transaction
      .updateTable('alerts')
      .set({ updated_at: sql<Date>`greatest(now(), created_at)` })
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .returning(['title', 'status'])
      .executeTakeFirst();
    if (alert === undefined) return undefined;
    const known = await countRows(notesOf({ kysely: transaction }, id));
    if (known >= maxNotes) throw new GatewayError('conflict', { message: `An alert takes ${maxNotes} notes` });
    const { note, at, ...added } = await transaction
      .insertInto('alert_events')
      .values({
        alert_id: id,
        event: 'note',
        from_status: alert.status,
        to_status: alert.status,
        note: text,
        ...actorColumns(call.caller),
      })
      .returning(['id', 'at', 'actor as author', 'actor_id as author_id', 'note'])
      .executeTakeFirstOrThrow();
    const resource = { type: 'alert', id, name: alert.title };
    await recordAudit(
      transaction,
      auditEntry(call, { event: 'alert.note.added', resource, details: { note_id: added.id } }),
    );
    return { ...added, at: at.toISOString(), text: note ?? '' };
  });
}
