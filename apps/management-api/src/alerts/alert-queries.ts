import type { AlertStatus } from '@portcullis/contracts/records';
import type { AlertDetail } from '@portcullis/contracts/routes/alerts';
import { alertColumns, renderAlert, type AlertRow } from '@portcullis/platform/alerts/alert-rows';
import type { Database, Queryable } from '@portcullis/platform/database/database';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { sql } from 'kysely';
import { loadNotes } from './alert-notes.ts';

/** Deleted alerts are not found. */
async function findAlert({ kysely }: Queryable, id: number): Promise<AlertRow | undefined> {
  const { rows } = await sql<AlertRow>`
    select ${alertColumns} from alerts where id = ${id} and deleted_at is null`.execute(kysely);
  return rows[0];
}

export async function findAlertOrThrow(database: Queryable, id: number): Promise<AlertRow> {
  const alert = await findAlert(database, id);
  if (alert === undefined) throw unknownAlert(id);
  return alert;
}

export const unknownAlert = (id: number): GatewayError =>
  new GatewayError('not_found', { message: `There is no alert ${id}` });

/** Of the history and of the notes, how many an answer has: a script may move an alert back and forth for days. */
const shownEvents = 500;
const shownNotes = 50;

/** The alert with all that happened to it. */
export async function findAlertDetail(database: Database, id: number): Promise<AlertDetail | undefined> {
  const alert = await findAlert(database, id);
  if (alert === undefined) return undefined;
  const { kysely } = database;

  const events = await kysely
    .selectFrom('alert_events')
    .select([
      'at',
      'actor',
      'actor_id',
      'event',
      'from_status as from',
      'to_status as to',
      'note as reason',
      'assignee',
    ])
    .where('alert_id', '=', id)
    .where('event', 'in', ['status', 'assignee'])
    .orderBy('id', 'desc')
    .limit(shownEvents)
    .$narrowType<{ event: 'status' | 'assignee'; from: AlertStatus; to: AlertStatus }>()
    .execute();
  const { notes, total } = await loadNotes(database, id, { newest: shownNotes });
  const deliveries = await kysely
    .selectFrom('alert_deliveries')
    .leftJoin('alert_digests as digest', 'digest.id', 'alert_deliveries.digest_id')
    // What is told of in a digest has its state.
    .select((row) => [
      'alert_deliveries.channel',
      row.fn
        .coalesce(sql<string>`nullif(nullif(digest.status, 'open'), 'queued')`, 'alert_deliveries.status')
        .as('status'),
      row.fn.coalesce('digest.attempts', 'alert_deliveries.attempts').as('attempts'),
      sql<string | null>`case when digest.id is null then alert_deliveries.last_error else digest.last_error end`.as(
        'last_error',
      ),
      row.fn.coalesce('digest.updated_at', 'alert_deliveries.updated_at').as('updated_at'),
      'alert_deliveries.digest_id',
    ])
    .where('alert_id', '=', id)
    .orderBy('alert_deliveries.channel')
    .$narrowType<{ status: AlertDetail['deliveries'][number]['status'] }>()
    .execute();
  return {
    ...renderAlert(alert),
    timeline: events.toReversed().map((event) => ({ ...event, at: event.at.toISOString() })),
    notes,
    note_count: total,
    deliveries: deliveries.map((delivery) => ({ ...delivery, updated_at: delivery.updated_at.toISOString() })),
  };
}
