import { eventJobId } from '@portcullis/contracts/events';
import { auditEventTopic, eventTopic, type GatewayEvent } from '@portcullis/contracts/gateway-events';
import type { Config } from '@portcullis/platform/config/config';
import type { Queryable } from '@portcullis/platform/database/database';
import type { DeliveryQueues } from '@portcullis/platform/deliveries/delivery-queues';
import { describeAudit, type AuditRow } from '@portcullis/platform/deliveries/describe-audit';
import { loadEventChannels } from '@portcullis/platform/deliveries/enabled-channels';
import type { OutboxHandler } from '@portcullis/platform/deliveries/outbox-relay';

interface RelayParts {
  readonly deliveries: Pick<DeliveryQueues, 'of'>;
  readonly config: Pick<Config, 'ALERT_DELIVERY_ATTEMPTS' | 'ALERT_DELIVERY_BACKOFF'>;
}

/** Handles what leaves with a transaction and is no alert: it is queued for each channel that is switched on and takes its kind. */
export function createEventRelay({ deliveries, config }: RelayParts): Readonly<Record<string, OutboxHandler>> {
  const retry = { attempts: config.ALERT_DELIVERY_ATTEMPTS, backoffMs: config.ALERT_DELIVERY_BACKOFF };
  const queueEvent = async (event: GatewayEvent, transaction: Queryable): Promise<void> => {
    for (const channel of await loadEventChannels(transaction, event.kind)) {
      // What an integration that does not get through is to be told would be the next thing that does not.
      if (event.kind === 'integration_status' && event.resource?.id === channel) continue;
      await deliveries.of(channel).add(eventJobId(channel, event.id), { channel, event }, retry);
    }
  };
  return {
    [eventTopic]: (payload, _outboxId, transaction) => queueEvent(payload as GatewayEvent, transaction),
    [auditEventTopic]: async (payload, _outboxId, transaction) => {
      // The audit log wrote it in the transaction that appended the record.
      const event = describeAudit(payload as AuditRow);
      if (event !== undefined) await queueEvent(event, transaction);
    },
  };
}
