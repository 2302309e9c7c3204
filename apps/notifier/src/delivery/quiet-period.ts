import { setTimeout as pause } from 'node:timers/promises';

const maxQuietMs = 30_000;

/** The time a chat has asked to be left alone. It holds for every message, not only for the one that was refused. */
export function createQuietPeriod(now: () => number = () => performance.now()) {
  let untilMs = 0;
  return {
    /** At most half a minute, even if the chat asks for more. */
    ask(durationMs: number): void {
      untilMs = Math.max(untilMs, now() + Math.min(durationMs, maxQuietMs));
    },
    /** Resolves when the period is over, or at once when the signal is aborted. */
    async over(signal: AbortSignal): Promise<void> {
      const restMs = untilMs - now();
      if (restMs > 0) await pause(restMs, undefined, { signal }).catch(() => undefined);
    },
  };
}

export type QuietPeriod = ReturnType<typeof createQuietPeriod>;
