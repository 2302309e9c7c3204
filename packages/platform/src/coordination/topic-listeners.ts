import { problemText } from '../errors/problem.ts';
import type { Logger } from '../log/logger.ts';

type Listener = (message: unknown) => void;

/** Who listens to which topic of a bus, and the delivery of one message to all of them. */
export class TopicListeners {
  readonly #byTopic = new Map<string, Set<{ readonly listener: Listener }>>();
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** The answer removes the listener again. */
  add(topic: string, listener: Listener): () => void {
    const entry = { listener };
    const entries = this.#byTopic.get(topic) ?? new Set();
    this.#byTopic.set(topic, entries.add(entry));
    return () => {
      entries.delete(entry);
      if (entries.size === 0 && this.#byTopic.get(topic) === entries) this.#byTopic.delete(topic);
    };
  }

  has(topic: string): boolean {
    return this.#byTopic.has(topic);
  }

  topics(): readonly string[] {
    return [...this.#byTopic.keys()];
  }

  clear(): void {
    this.#byTopic.clear();
  }

  /** Every listener gets a message of its own to keep or change, and none suffers from another's fault. */
  deliver(topic: string, text: string): void {
    for (const { listener } of Array.from(this.#byTopic.get(topic) ?? [])) {
      try {
        listener(JSON.parse(text));
      } catch (error) {
        this.#log.error('A listener on the bus failed', { topic, problem: problemText(error) });
      }
    }
  }
}
