import { alertDeliveryQueue, type AlertDeliveryJob } from '@portcullis/contracts/events';
import { loadChatChannel } from '@portcullis/platform/chat/chat-channel';
import { createChatSender, type ChatOutcome } from '@portcullis/platform/chat/chat-sender';
import type { Infrastructure } from '@portcullis/platform/lifecycle/infrastructure';
import type { Service } from '@portcullis/platform/lifecycle/service';
import { readNotifierConfig } from './config.ts';
import { createCachedChannel } from './delivery/cached-channel.ts';
import { deliverAlert } from './delivery/deliver-alert.ts';
import { createDeliveryLog } from './delivery/delivery-log.ts';
import { createQuietPeriod } from './delivery/quiet-period.ts';

const serviceName = 'notifier';
/** Posts under way at once: one slow chat must not hold everything back, and no chat likes a flood. */
const concurrency = 4;

/** A failure without a later success counts as news for so long. */
const failureShownMs = 600_000;

type Needs = Pick<Infrastructure, 'config' | 'log' | 'metrics' | 'database' | 'coordination' | 'encryption'>;

/** Fans alerts out: takes delivery jobs off the queue and posts them to the chat webhook. */
export function createNotifierService(infrastructure: Needs): Service {
  const { database, encryption, coordination, metrics } = infrastructure;
  const log = infrastructure.log.child({ service: serviceName });
  const config = readNotifierConfig(infrastructure.config);

  const channel = createCachedChannel(() => loadChatChannel(database, encryption));
  const stopping = new AbortController();
  const resources = new AsyncDisposableStack();
  let lastFailure: { readonly reason: string; readonly atMs: number } | undefined;

  return {
    name: serviceName,

    async start() {
      const sender = resources.use(createChatSender(config.addresses));
      const queue = resources.use(coordination.queue<AlertDeliveryJob>(alertDeliveryQueue));
      const parts = {
        channel,
        sender,
        deliveries: createDeliveryLog(database, 'chat', log),
        quietPeriod: createQuietPeriod(),
        stopping: stopping.signal,
        observe: (outcome: ChatOutcome) => {
          metrics.gateway.countDelivery('chat', outcome.kind);
          lastFailure = outcome.kind === 'delivered' ? undefined : { reason: outcome.reason, atMs: performance.now() };
        },
      };
      resources.use(queue.process((job) => deliverAlert(job, parts), concurrency));
    },

    health() {
      const unreadable = channel.problem();
      const failing = lastFailure !== undefined && performance.now() - lastFailure.atMs < failureShownMs;
      const problems = [
        ...(unreadable === undefined ? [] : [`chat settings: ${unreadable}`]),
        ...(failing ? [`chat webhook: ${lastFailure?.reason}`] : []),
      ];
      return { status: problems.length === 0 ? 'healthy' : 'degraded', problems };
    },

    async [Symbol.asyncDispose]() {
      const timer = setTimeout(() => stopping.abort(), config.drainMs);
      await resources.disposeAsync();
      clearTimeout(timer);
    },
  };
}
