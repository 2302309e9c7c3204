import type { Alert } from '@portcullis/contracts/events';
import type { AlertStatus } from '@portcullis/contracts/records';
import type { AlertDetail } from '@portcullis/contracts/routes/alerts';
import type { Database } from '@portcullis/platform/database/database';
import { sql } from 'kysely';

const columns = [
  'id',
  'request_id',
  'severity',
  'title',
  'description',
  'status',
  'action',
  'category',
  'proxy_id',
  'proxy_type',
  'source',
  'target',
  'rule_id',
  'policy_name',
  'user_identity',
  'user_type',
  'user_group',
  'raw_data',
  'created_at',
  'updated_at',
] as const;

/** The columns of an `AlertRow`, for SQL. */
export const alertColumns = sql.join(columns.map((name) => sql.id(name)));

/** Columns hold nothing but what the spool's alert records have, see `AlertRecord`. */
export type AlertRow = Omit<Alert, 'created_at' | 'updated_at'> & {
  readonly created_at: Date;
  readonly updated_at: Date;
};

/** Deleted alerts are not found. */
export const findAlert = ({ kysely }: Database, id: number): Promise<AlertRow | undefined> =>
  kysely
    .selectFrom('alerts')
    .select(columns)
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
    .select(['channel', 'status', 'attempts', 'last_error', 'updated_at'])
    .where('alert_id', '=', id)
    .orderBy('channel')
    .$narrowType<{ status: AlertDetail['deliveries'][number]['status'] }>()
    .execute();
  return {
    ...renderAlert(alert),
    timeline: events.map((event) => ({ ...event, at: event.at.toISOString() })),
    deliveries: deliveries.map((delivery) => ({ ...delivery, updated_at: delivery.updated_at.toISOString() })),
  };
}

export const renderAlert = ({ created_at: createdAt, updated_at: updatedAt, ...same }: AlertRow): Alert => ({
  ...same,
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
});
