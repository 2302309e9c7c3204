import { deliveryJobId, liveEventsTopic, type Alert, type LiveEvent } from '@portcullis/contracts/events';
import type { Config } from '@portcullis/platform/config/config';
import type { Bus } from '@portcullis/platform/coordination/coordination';
import type { DeliveryQueues } from '@portcullis/platform/deliveries/delivery-queues';
import { loadAlertChannels } from '@portcullis/platform/deliveries/enabled-channels';
import type { OutboxBatchHandler } from '@portcullis/platform/deliveries/outbox-relay';
import { gatherAlerts } from './alert-groups.ts';

interface RelayParts {
  readonly bus: Bus;
  readonly deliveries: Pick<DeliveryQueues, 'of'>;
  readonly config: Pick<
    Config,
    'ALERT_DELIVERY_ATTEMPTS' | 'ALERT_DELIVERY_BACKOFF' | 'ALERT_DIGEST_AFTER' | 'ALERT_DIGEST_INTERVAL'
  >;
}

/**
 * Handles the outbox topic `alert`: alerts are queued for each channel that is switched on, or gathered for a digest, then told
 * to live watchers.
 */
export function createAlertRelay({ bus, deliveries, config }: RelayParts): OutboxBatchHandler {
  const retry = { attempts: config.ALERT_DELIVERY_ATTEMPTS, backoffMs: config.ALERT_DELIVERY_BACKOFF };
  const rule = { singles: config.ALERT_DIGEST_AFTER, intervalMs: config.ALERT_DIGEST_INTERVAL };
  return {
    async carryAll(messages, transaction) {
      // The spool wrote them in the transactions that stored the alerts.
      const alerts = messages.map(({ payload }) => payload as Alert);
      const channels = await loadAlertChannels(transaction);
      const singles = await gatherAlerts(alerts, channels, rule, transaction);
      const ofChannels = Map.groupBy(singles, ({ channel }) => channel);
      await Promise.all(
        Array.from(ofChannels, async ([channel, deliver]) => {
          const queue = deliveries.of(channel);
          for (const { alert } of deliver) await queue.add(deliveryJobId(channel, alert.id), { channel, alert }, retry);
        }),
      );
      for (const alert of alerts) {
        const event: LiveEvent = { type: 'new_alert', payload: alert };
        await bus.publish(liveEventsTopic, event);
      }
    },
  };
}
