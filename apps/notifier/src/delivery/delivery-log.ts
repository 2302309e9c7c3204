import type { OutgoingAlert } from '@portcullis/contracts/events';
import type { Database } from '@portcullis/platform/database/database';
import { databaseNow } from '@portcullis/platform/database/database-now';
import type { Logger } from '@portcullis/platform/log/logger';
import { problemText } from '@portcullis/platform/lifecycle/problem';

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

export function createDeliveryLog({ kysely }: Pick<Database, 'kysely'>, channel: string, log: Logger): DeliveryLog {
  const tolerate =
    <Value>({ id }: OutgoingAlert, fallback: Value) =>
    (error: unknown): Value => {
      log.warn('The delivery log is out of reach', { alert: id, problem: problemText(error) });
      return fallback;
    };
  const statusOf = ({ id, digest }: OutgoingAlert) =>
    digest === undefined
      ? kysely.selectFrom('alert_deliveries').select('status').where('alert_id', '=', id).where('channel', '=', channel)
      : kysely.selectFrom('alert_digests').select('status').where('id', '=', digest.id);

  return {
    async isDelivered(alert) {
      const row = await statusOf(alert).executeTakeFirst().catch(tolerate(alert, undefined));
      return row?.status === 'delivered';
    },

    async save(alert, { status, attempts, lastError }) {
      const row = { status, attempts, last_error: lastError, updated_at: databaseNow };
      const { id, digest } = alert;
      const statement =
        digest === undefined
          ? kysely
              .insertInto('alert_deliveries')
              .values({ alert_id: id, channel, ...row })
              .onConflict((conflict) => conflict.columns(['alert_id', 'channel']).doUpdateSet(row))
          : kysely.updateTable('alert_digests').set(row).where('id', '=', digest.id);
      await statement.execute().catch(tolerate(alert, undefined));
    },
  };
}
