import type { Redis } from 'ioredis';
import type { Logger } from '../../log/logger.ts';
import type { Bus } from '../coordination.ts';
import { TopicListeners } from '../topic-listeners.ts';
import { within } from './within.ts';

const timeoutMs = 2_000;

/** Publishes on `client`; `subscriber` is a connection of its own, whose subscriptions come back by themselves after an outage. */
export function createRedisBus(client: Redis, subscriber: Redis, keyPrefix: string, log: Logger): Bus {
  const channelPrefix = `${keyPrefix}bus:`;
  const listeners = new TopicListeners(log);
  subscriber.on('message', (channel: string, text: string) => {
    listeners.deliver(channel.slice(channelPrefix.length), text);
  });

  async function unsubscribeUnused(topic: string): Promise<void> {
    if (listeners.has(topic) || subscriber.status !== 'ready') return;
    await within(subscriber, timeoutMs, () => subscriber.unsubscribe(channelPrefix + topic));
  }

  return {
    async publish(topic, message) {
      await within(client, timeoutMs, () => client.publish(channelPrefix + topic, JSON.stringify(message ?? null)));
    },

    async subscribe(topic, listener) {
      const remove = listeners.add(topic, listener);
      try {
        await within(subscriber, timeoutMs, () => subscriber.subscribe(channelPrefix + topic));
      } catch (error) {
        remove();
        throw error;
      }
      return async () => {
        remove();
        await unsubscribeUnused(topic);
      };
    },
  };
}
