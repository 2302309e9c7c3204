import { liveEventsTopic, type Alert, type AlertDeliveryJob, type LiveEvent } from '@portcullis/contracts/events';
import type { Config } from '@portcullis/platform/config/config';
import type { Bus, Queue } from '@portcullis/platform/coordination/coordination';

interface RelayParts {
  readonly bus: Bus;
  readonly deliveries: Queue<AlertDeliveryJob>;
  readonly config: Pick<Config, 'ALERT_DELIVERY_ATTEMPTS' | 'ALERT_DELIVERY_BACKOFF'>;
}

/** Handles the outbox topic `alert`: the alert is queued for the chat, then told to whoever watches. */
export const createAlertRelay =
  ({ bus, deliveries, config }: RelayParts) =>
  async (payload: unknown): Promise<void> => {
    // The spool wrote it in the transaction that stored the alert.
    const alert = payload as Alert;
    const retry = { attempts: config.ALERT_DELIVERY_ATTEMPTS, backoffMs: config.ALERT_DELIVERY_BACKOFF };
    await deliveries.add(`chat-${alert.id}`, { channel: 'chat', alert }, retry);
    const event: LiveEvent = { type: 'new_alert', payload: alert };
    await bus.publish(liveEventsTopic, event);
  };
