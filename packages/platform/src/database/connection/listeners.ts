import type { Logger } from '../../log/logger.ts';
import { problemText } from '../../errors/problem.ts';

export type NotificationListener = (payload: string) => void;

/** Who listens to which channel. A listener that throws is logged and harms no other. */
export class Listeners {
  readonly #byChannel = new Map<string, Set<NotificationListener>>();
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  channels(): readonly string[] {
    return [...this.#byChannel.keys()];
  }

  add(channel: string, listener: NotificationListener): void {
    const listeners = this.#byChannel.get(channel) ?? new Set();
    this.#byChannel.set(channel, listeners.add(listener));
  }

  /** True when the channel has no listeners any more. */
  remove(channel: string, listener: NotificationListener): boolean {
    const listeners = this.#byChannel.get(channel);
    listeners?.delete(listener);
    return listeners?.size === 0 && this.#byChannel.delete(channel);
  }

  notify(channel: string, payload: string): void {
    for (const listener of this.#byChannel.get(channel) ?? []) {
      try {
        listener(payload);
      } catch (error) {
        this.#log.error('A notification listener failed', { channel, reason: problemText(error) });
      }
    }
  }
}
