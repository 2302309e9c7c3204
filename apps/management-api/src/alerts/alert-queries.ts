import type { AlertStatus } from '@portcullis/contracts/records';
import type { AlertDetail } from '@portcullis/contracts/routes/alerts';
import { alertColumnNames, renderAlert, type AlertRow } from '@portcullis/platform/alerts/alert-rows';
import type { Database } from '@portcullis/platform/database/database';
import { sql } from 'kysely';

/** Deleted alerts are not found. */
export const findAlert = ({ kysely }: Database, id: number): Promise<AlertRow | undefined> =>
  kysely
    .selectFrom('alerts')
    .select(alertColumnNames)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .$castTo<AlertRow>()
    .executeTakeFirst();

/** The alert with all that happened to it. */
export async function findAlertDetail(database: Database, id: number): Promise<AlertDetail | undefined> {
  const alert = await findAlert(database, id);
  if (alert === undefined) return undefined;
  const { kysely } = database;

  const events = await kysely
    .selectFrom('alert_events')
    .select(['at', 'actor', 'actor_id', 'from_status as from', 'to_status as to'])
    .where('alert_id', '=', id)
    .where('event', '=', 'status')
    .orderBy('id')
    .$narrowType<{ from: AlertStatus; to: AlertStatus }>()
    .execute();
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
    timeline: events.map((event) => ({ ...event, at: event.at.toISOString() })),
    deliveries: deliveries.map((delivery) => ({ ...delivery, updated_at: delivery.updated_at.toISOString() })),
  };
}
