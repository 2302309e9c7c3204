import type { ChannelName } from '@portcullis/contracts/channels';
import type { AuditEventType } from '@portcullis/contracts/audit-events';
import { deliveryQueue, type Alert, type DeliveryJob } from '@portcullis/contracts/events';
import { consoleAddressOf } from '@portcullis/platform/config/public-base';
import type { QueuedJob } from '@portcullis/platform/coordination/coordination';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { problemText } from '@portcullis/platform/errors/problem';
import type { ServicePart } from '@portcullis/platform/service/service-part';
import { channels } from '../channels/channels.ts';
import type { Destinations } from '../channels/open-destinations.ts';
import { createDeliveryLog } from './delivery-log.ts';
import { deliverAlert } from './deliver-alert.ts';
import { deliverEvent } from './deliver-event.ts';
import { createStatusWatch } from './integration-status.ts';
import { createQuietPeriod } from './quiet-period.ts';

/** Attempts under way at once for each channel: one slow message must not hold everything back, and no chat likes a flood. */
const concurrency = 4;
/** A failure without a later success counts as news for so long. */
const failureShownMs = 600_000;

type Needs = Pick<Infrastructure, 'log' | 'metrics' | 'database' | 'coordination' | 'config'>;

/** Takes deliveries off the queue of each channel. @param drainMs how long a stop waits for attempts under way */
export function createDeliveryWorkers(needs: Needs, destinations: Destinations, drainMs: number): ServicePart {
  const stopping = new AbortController();
  const running = new AsyncDisposableStack();
  const status = createStatusWatch(needs);
  const failures = new Map<ChannelName, { readonly reason: string; readonly atMs: number }>();

  return {
    start() {
      for (const [name, destination] of destinations) {
        const queue = running.use(needs.coordination.queue<DeliveryJob>(deliveryQueue(name)));
        const parts = {
          destination,
          deliveries: createDeliveryLog(needs.database, name, needs.log),
          quietPeriod: createQuietPeriod(),
          addressOf: ({ id }: Alert) => consoleAddressOf(needs.config, `alerts/${id}`),
          audit: (event: AuditEventType, alert: Alert) => audit(needs, event, alert),
          stopping: stopping.signal,
          observe: (outcome: Parameters<DeliveryObserver>[0]) => {
            needs.metrics.gateway.countDelivery(name, outcome.kind);
            if (outcome.kind === 'delivered') failures.delete(name);
            else failures.set(name, { reason: outcome.reason, atMs: performance.now() });
            status.observe(name, outcome);
          },
        };
        const deliver = ({ payload, ...job }: QueuedJob<DeliveryJob>): Promise<void> =>
          'alert' in payload ? deliverAlert({ ...job, payload }, parts) : deliverEvent({ ...job, payload }, parts);
        running.use(queue.process(deliver, channels[name].concurrency ?? concurrency));
      }
    },

    problems: () => [
      ...[...destinations].flatMap(([name, destination]) => {
        const unreadable = destination.problem();
        return unreadable === undefined ? [] : [`settings of the ${name} channel: ${unreadable}`];
      }),
      ...[...failures]
        .filter(([, { atMs }]) => performance.now() - atMs < failureShownMs)
        .map(([name, { reason }]) => `${name} channel: ${reason}`),
    ],

    async [Symbol.asyncDispose]() {
      const timer = setTimeout(() => stopping.abort(), drainMs);
      await running.disposeAsync();
      await status.settled();
      clearTimeout(timer);
    },
  };
}

const audit = ({ database, log }: Needs, event: AuditEventType, { id, title }: Alert): Promise<void> =>
  recordAudit(database.kysely, {
    event_type: event,
    actor: { type: 'system', id: null, name: 'notifier' },
    resource: { type: 'alert', id, name: title },
  }).catch((error: unknown) => {
    log.warn('A delivery could not be audited', { alert: id, problem: problemText(error) });
  });

type DeliveryObserver = Parameters<typeof deliverAlert>[1]['observe'];
