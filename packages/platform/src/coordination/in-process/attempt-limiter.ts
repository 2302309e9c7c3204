import { performance } from 'node:perf_hooks';
import { beginAttempt, type DelayState } from '@portcullis/core/rate-limit/backoff';
import type { AttemptLimiter } from '../coordination.ts';

interface InProcessAttemptLimiterOptions {
  readonly maxKeys?: number;
  /** Microseconds that never go back. */
  readonly nowUs?: (() => number) | undefined;
}

/** Attempts counted in this process, lost with it; the longest unused give way when there are too many. */
export function createInProcessAttemptLimiter({
  maxKeys = 100_000,
  nowUs = () => performance.now() * 1_000,
}: InProcessAttemptLimiterOptions = {}): AttemptLimiter {
  // In the order of their last use.
  const states = new Map<string, DelayState>();

  return {
    begin(key, rule) {
      const { state, answer } = beginAttempt(states.get(key), rule, Math.floor(nowUs() / 1_000));
      states.delete(key);
      states.set(key, state);
      const [oldest] = states.keys();
      if (oldest !== undefined && states.size > maxKeys) states.delete(oldest);
      return answer;
    },

    async clear(key) {
      states.delete(key);
    },
  };
}
