export interface RunEveryOptions {
  readonly intervalMs: number;
  /** Told when a run fails; the next one tries again. */
  readonly onFault: (error: unknown) => void;
  /** Whether the first run waits for the first interval. */
  readonly later?: boolean;
}

/**
 * Does some work now and then every so often, until it is disposed, which waits for the run in hand. What takes
 * longer than its interval is not begun twice. Keeps no process alive.
 */
export function runEvery(work: () => Promise<void>, { intervalMs, onFault, later }: RunEveryOptions): AsyncDisposable {
  let running: Promise<void> | undefined;
  const run = (): void => {
    running ??= work()
      .catch(onFault)
      .finally(() => {
        running = undefined;
      });
  };
  if (later !== true) run();
  const timer = setInterval(run, intervalMs).unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await running;
    },
  };
}
