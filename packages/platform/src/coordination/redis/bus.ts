import type { Redis } from 'ioredis';
import { problemText } from '../../errors/problem.ts';
import type { Logger } from '../../log/logger.ts';
import type { Bus } from '../coordination.ts';
import { TopicListeners } from '../topic-listeners.ts';
import { withTimeout } from './with-timeout.ts';

const timeoutMs = 2_000;

/** Publishes on `client`; `subscriber` is a connection of its own, which subscribes again to all topics whenever it is ready. */
export function createRedisBus(client: Redis, subscriber: Redis, keyPrefix: string, log: Logger): Bus {
  // Channels are of the whole server, while all else of an installation is in its numbered database.
  const channelPrefix = `${keyPrefix}bus:${client.options.db ?? 0}:`;
  const listeners = new TopicListeners(log);
  subscriber.on('message', (channel: string, text: string) => {
    listeners.deliver(channel.slice(channelPrefix.length), text);
  });

  // Those of before an outage come back by themselves, but not those that were asked for meanwhile.
  subscriber.on('ready', () => {
    for (const topic of listeners.topics()) void subscribeTo(topic);
  });

  async function subscribeTo(topic: string): Promise<void> {
    if (subscriber.status !== 'ready') return;
    await withTimeout(subscriber, timeoutMs, () => subscriber.subscribe(channelPrefix + topic)).catch(
      (error: unknown) => {
        log.warn('A topic of the bus cannot be heard yet', { topic, problem: problemText(error) });
      },
    );
  }

  async function unsubscribeUnused(topic: string): Promise<void> {
    if (listeners.has(topic) || subscriber.status !== 'ready') return;
    await withTimeout(subscriber, timeoutMs, () => subscriber.unsubscribe(channelPrefix + topic));
  }

  return {
    async publish(topic, message) {
      await withTimeout(client, timeoutMs, () =>
        client.publish(channelPrefix + topic, JSON.stringify(message ?? null)),
      );
    },

    async subscribe(topic, listener) {
      const remove = listeners.add(topic, listener);
      await subscribeTo(topic);
      return async () => {
        remove();
        await unsubscribeUnused(topic);
      };
    },
  };
}
