import { deliveryJobId, liveEventsTopic, type Alert, type LiveEvent } from '@portcullis/contracts/events';
import type { Config } from '@portcullis/platform/config/config';
import type { Bus } from '@portcullis/platform/coordination/coordination';
import type { DeliveryQueues } from '@portcullis/platform/deliveries/delivery-queues';
import { loadEnabledChannels } from '@portcullis/platform/deliveries/enabled-channels';
import type { OutboxHandler } from '@portcullis/platform/outbox/outbox-relay';

interface RelayParts {
  readonly bus: Bus;
  readonly deliveries: Pick<DeliveryQueues, 'of'>;
  readonly config: Pick<Config, 'ALERT_DELIVERY_ATTEMPTS' | 'ALERT_DELIVERY_BACKOFF'>;
}

/** Handles the outbox topic `alert`: the alert is queued for each channel that is switched on, then told to live watchers. */
export function createAlertRelay({ bus, deliveries, config }: RelayParts): OutboxHandler {
  const retry = { attempts: config.ALERT_DELIVERY_ATTEMPTS, backoffMs: config.ALERT_DELIVERY_BACKOFF };
  return async (payload, _outboxId, transaction) => {
    // The spool wrote it in the transaction that stored the alert.
    const alert = payload as Alert;
    for (const channel of await loadEnabledChannels(transaction)) {
      await deliveries.of(channel).add(deliveryJobId(channel, alert.id), { channel, alert }, retry);
    }
    const event: LiveEvent = { type: 'new_alert', payload: alert };
    await bus.publish(liveEventsTopic, event);
  };
}
