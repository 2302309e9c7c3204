import type { OutgoingAlert } from '@portcullis/contracts/events';
import type { Database } from '@portcullis/platform/database/database';
import { databaseNow } from '@portcullis/platform/database/database-now';
import type { Logger } from '@portcullis/platform/log/logger';
import { problemText } from '@portcullis/platform/errors/problem';
import { sql } from 'kysely';
import { createBatcher } from '../senders/batcher.ts';

export interface DeliveryState {
  readonly status: 'retrying' | 'delivered' | 'dead';
  readonly attempts: number;
  readonly lastError: string | null;
}

/**
 * What became of each alert on one channel, in the table alert_deliveries, and of each digest, in alert_digests. The log
 * informs and never decides: while the database is away deliveries go on.
 */
export interface DeliveryLog {
  isDelivered(alert: OutgoingAlert): Promise<boolean>;
  save(alert: OutgoingAlert, state: DeliveryState): Promise<void>;
}

export function createDeliveryLog(database: Pick<Database, 'kysely'>, channel: string, log: Logger): DeliveryLog {
  const { kysely } = database;
  const tolerate =
    <Value>(alerts: readonly OutgoingAlert[], fallback: Value) =>
    (error: unknown): Value => {
      log.warn('The delivery log is out of reach', { alert: alerts[0]?.id, problem: problemText(error) });
      return fallback;
    };
  // Channels that send batches ask and write for many at once.
  const lookUp = createBatcher({
    ...logBatches,
    send: async (alerts: readonly OutgoingAlert[]) => {
      const found = await findDelivered(database, channel, alerts).catch(tolerate(alerts, new Set<number>()));
      return alerts.map(({ id }) => found.has(id));
    },
  });
  const write = createBatcher({
    ...logBatches,
    send: async (entries: readonly Entry[]) => {
      const alerts = entries.map(({ alert }) => alert);
      await saveAll(database, channel, entries).catch(tolerate(alerts, undefined));
      return entries.map(() => undefined);
    },
  });

  return {
    async isDelivered(alert) {
      if (alert.digest === undefined) return lookUp(alert, never);
      const row = await kysely
        .selectFrom('alert_digests')
        .select('status')
        .where('id', '=', alert.digest.id)
        .executeTakeFirst()
        .catch(tolerate([alert], undefined));
      return row?.status === 'delivered';
    },

    async save(alert, state) {
      if (alert.digest === undefined) return write({ alert, state }, never);
      await kysely
        .updateTable('alert_digests')
        .set({ ...columnsOf(state), updated_at: databaseNow })
        .where('id', '=', alert.digest.id)
        .execute()
        .catch(tolerate([alert], undefined));
    },
  };
}

interface Entry {
  readonly alert: OutgoingAlert;
  readonly state: DeliveryState;
}

const logBatches = {
  maxItems: 500,
  maxBytes: Number.POSITIVE_INFINITY,
  bytesOf: () => 0,
  lingerMs: 0,
  maxConcurrent: 1,
};
const never = new AbortController().signal;

const columnsOf = ({ status, attempts, lastError }: DeliveryState) => ({ status, attempts, last_error: lastError });

async function findDelivered(
  { kysely }: Pick<Database, 'kysely'>,
  channel: string,
  alerts: readonly OutgoingAlert[],
): Promise<ReadonlySet<number>> {
  const rows = await kysely
    .selectFrom('alert_deliveries')
    .select('alert_id')
    .where('alert_id', '=', sql<number>`any (${alerts.map(({ id }) => id)}::bigint[])`)
    .where('channel', '=', channel)
    .where('status', '=', 'delivered')
    .execute();
  return new Set(rows.map(({ alert_id: id }) => id));
}

/** Of an alert that comes twice the last state counts; one that was deleted meanwhile has none. */
async function saveAll(
  { kysely }: Pick<Database, 'kysely'>,
  channel: string,
  entries: readonly Entry[],
): Promise<void> {
  const latest = new Map(entries.map(({ alert, state }) => [alert.id, columnsOf(state)]));
  const rows = JSON.stringify(Array.from(latest, ([id, columns]) => ({ alert_id: id, ...columns })));
  await sql`
    insert into alert_deliveries (alert_id, channel, status, attempts, last_error)
    select alert_id, ${channel}, row.status, attempts, last_error
    from jsonb_to_recordset(${rows}::jsonb) as row (alert_id bigint, status text, attempts integer, last_error text)
    where exists (select from alerts where alerts.id = row.alert_id)
    order by alert_id
    on conflict (alert_id, channel) do update set
      status = excluded.status, attempts = excluded.attempts, last_error = excluded.last_error, updated_at = now()
  `.execute(kysely);
}
