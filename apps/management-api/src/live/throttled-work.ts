import { setTimeout as pause } from 'node:timers/promises';

/** Work that many ask for, done once for all that asked meanwhile. */
export interface ThrottledWork extends AsyncDisposable {
  /** Has it done, after what is under way and a rest. */
  schedule(): void;
}

interface ThrottleOptions {
  /** Work that takes no longer than this needs no rest: it follows each that asks. */
  readonly freeMs: number;
  /** How many times as long as the work took beyond that it rests after it. */
  readonly restFactor: number;
  readonly maxRestMs: number;
}

/** Keeps work that grows with what there is from taking all of the time when it is asked for again and again. */
export function createThrottledWork(
  work: () => Promise<void>,
  { freeMs, restFactor, maxRestMs }: ThrottleOptions,
): ThrottledWork {
  const end = new AbortController();
  let working = Promise.resolve();
  let waiting = false;

  const run = async (): Promise<void> => {
    waiting = false;
    const startedAt = performance.now();
    await work();
    const beyondMs = performance.now() - startedAt - freeMs;
    if (beyondMs <= 0) return;
    const restMs = Math.min(maxRestMs, beyondMs * restFactor);
    await pause(restMs, undefined, { signal: end.signal }).catch(() => undefined);
  };
  return {
    schedule() {
      if (waiting || end.signal.aborted) return;
      waiting = true;
      working = working.then(run);
    },
    async [Symbol.asyncDispose]() {
      end.abort();
      await working;
    },
  };
}
