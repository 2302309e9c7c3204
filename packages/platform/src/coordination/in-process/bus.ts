import type { Logger } from '../../log/logger.ts';
import type { Bus } from '../coordination.ts';
import { TopicListeners } from '../topic-listeners.ts';

/** Messages go through JSON as they would between processes, and arrive after the publisher's turn. */
export function createInProcessBus(log: Logger): Bus {
  const listeners = new TopicListeners(log);

  return {
    async publish(topic, message) {
      const text = JSON.stringify(message ?? null);
      setImmediate(() => listeners.deliver(topic, text));
    },

    async subscribe(topic, listener) {
      const remove = listeners.add(topic, listener);
      return async () => remove();
    },
  };
}
