/** Slow tasks that wait for their end. */
export class RunningTasks {
  readonly #ends = new Map<string, (how: 'completed' | 'canceled') => void>();
  readonly #ended = new Map<string, Promise<'completed' | 'canceled'>>();
  #isReleased = false;

  /** Resolves when the task is cancelled, or at once when all are released. */
  end(taskId: string): Promise<'completed' | 'canceled'> {
    const known = this.#ended.get(taskId);
    if (known !== undefined) return known;
    const { promise, resolve } = Promise.withResolvers<'completed' | 'canceled'>();
    this.#ends.set(taskId, resolve);
    this.#ended.set(taskId, promise);
    if (this.#isReleased) resolve('completed');
    return promise;
  }

  cancel(taskId: string): void {
    this.#ends.get(taskId)?.('canceled');
  }

  release(): void {
    this.#isReleased = true;
    for (const resolve of this.#ends.values()) resolve('completed');
  }
}
