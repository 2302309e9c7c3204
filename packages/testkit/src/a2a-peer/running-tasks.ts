type End = 'completed' | 'canceled';

/** What an agent works on, and how slow tasks come to their end. */
export class RunningTasks {
  readonly #running = new Map<string, (how: End) => void>();
  /** Contexts of the tasks that wait for their callers. */
  readonly #waiting = new Map<string, string>();
  #isReleased = false;

  /** Does the work of a task; it is told how a slow one is to end: at once when all are released. */
  async run(taskId: string, contextId: string, work: (ended: Promise<End>) => Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<End>();
    this.#running.set(taskId, resolve);
    if (this.#isReleased) resolve('completed');
    try {
      await work(promise);
    } finally {
      this.#running.delete(taskId);
      this.#waiting.set(taskId, contextId);
    }
  }

  /** Ends the work; answers the context of a task that is not worked on, whose end is to be told by who cancels it. */
  cancel(taskId: string): string | undefined {
    const end = this.#running.get(taskId);
    if (end === undefined) return this.#waiting.get(taskId);
    end('canceled');
    return undefined;
  }

  release(): void {
    this.#isReleased = true;
    for (const end of this.#running.values()) end('completed');
  }
}
