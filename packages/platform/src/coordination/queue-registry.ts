import type { Queue } from './coordination.ts';

/**
 * The open queues of a process. Every opening gets a handle of its own on the one queue of that
 * name; disposing a handle ends the processors started through it, disposing the registry all.
 */
export class QueueRegistry implements AsyncDisposable {
  readonly #queues = new Map<string, Queue<unknown>>();
  readonly #open: (name: string) => Queue<unknown>;

  constructor(open: (name: string) => Queue<unknown>) {
    this.#open = open;
  }

  /** @param name becomes a file name and part of Redis keys: lower case, digits and dashes */
  handle<Job>(name: string): Queue<Job> {
    if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(name)) throw new Error(`${JSON.stringify(name)} is no name for a queue`);
    const queue = this.#queues.get(name) ?? this.#open(name);
    this.#queues.set(name, queue);
    // The store does not know the type of the jobs; the code that opens the queue does.
    return createHandle(queue as Queue<Job>);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(Array.from(this.#queues.values(), (queue) => queue[Symbol.asyncDispose]()));
  }
}

function createHandle<Job>(queue: Queue<Job>): Queue<Job> {
  const processors = new Set<AsyncDisposable>();
  return {
    add: (id, payload, retry) => queue.add(id, payload, retry),
    deadJobs: (limit) => queue.deadJobs(limit),
    retryDead: (id) => queue.retryDead(id),
    counts: () => queue.counts(),

    process(handle, concurrency) {
      const processor = queue.process(handle, concurrency);
      processors.add(processor);
      return processor;
    },

    async [Symbol.asyncDispose]() {
      await Promise.all(Array.from(processors, (processor) => processor[Symbol.asyncDispose]()));
    },
  };
}
