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
 * What became of each alert on one channel, in the table alert_deliveries. The log informs and never
 * decides: while the database is away deliveries go on.
 */
export interface DeliveryLog {
  isDelivered(alertId: number): Promise<boolean>;
  save(alertId: number, state: DeliveryState): Promise<void>;
}

export function createDeliveryLog({ kysely }: Pick<Database, 'kysely'>, channel: string, log: Logger): DeliveryLog {
  const tolerate =
    <Value>(alertId: number, fallback: Value) =>
    (error: unknown): Value => {
      log.warn('The delivery log is out of reach', { alert: alertId, problem: problemText(error) });
      return fallback;
    };

  return {
    async isDelivered(alertId) {
      const row = await kysely
        .selectFrom('alert_deliveries')
        .select('status')
        .where('alert_id', '=', alertId)
        .where('channel', '=', channel)
        .executeTakeFirst()
        .catch(tolerate(alertId, undefined));
      return row?.status === 'delivered';
    },

    async save(alertId, { status, attempts, lastError }) {
      const row = { status, attempts, last_error: lastError, updated_at: databaseNow };
      await kysely
        .insertInto('alert_deliveries')
        .values({ alert_id: alertId, channel, ...row })
        .onConflict((conflict) => conflict.columns(['alert_id', 'channel']).doUpdateSet(row))
        .execute()
        .catch(tolerate(alertId, undefined));
    },
  };
}
