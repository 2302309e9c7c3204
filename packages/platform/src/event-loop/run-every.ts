export interface RunEveryOptions {
  readonly intervalMs: number;
  /** Told when a run fails; the next one tries again. */
  readonly onFault: (error: unknown) => void;
  /** Whether the first run waits for the first interval. */
  readonly later?: boolean;
}

export interface Repeated extends AsyncDisposable {
  /** Does it now as well, unless it is being done. */
  readonly runNow: () => void;
}

/**
 * Milliseconds until the next multiple of an interval since the process started, or the one after it where that is all too
 * soon. What is done equally often is so done at the same time, and wakes the process once.
 */
export function untilNext(intervalMs: number): number {
  const left = intervalMs - (performance.now() % intervalMs);
  return left < intervalMs / 2 ? left + intervalMs : left;
}

/**
 * Does some work now and then every so often, until it is disposed, which waits for the run in hand. What takes
 * longer than its interval is not begun twice. Keeps no process alive.
 */
export function runEvery(work: () => Promise<void>, { intervalMs, onFault, later }: RunEveryOptions): Repeated {
  let running: Promise<void> | undefined;
  let ended = false;
  const runNow = (): void => {
    if (ended) return;
    running ??= work()
      .catch(onFault)
      .finally(() => {
        running = undefined;
      });
  };
  let timer: NodeJS.Timeout;
  const plan = (): void => {
    timer = setTimeout(() => {
      runNow();
      plan();
    }, untilNext(intervalMs)).unref();
  };
  if (later !== true) runNow();
  plan();
  return {
    runNow,
    async [Symbol.asyncDispose]() {
      ended = true;
      clearTimeout(timer);
      await running;
    },
  };
}
