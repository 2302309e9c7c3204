import { performance } from 'node:perf_hooks';
import { beginAttempt, type DelayState } from '@portcullis/core/rate-limit/backoff';
import type { Attempts } from '../coordination.ts';

interface InProcessAttemptsOptions {
  readonly maxKeys?: number;
  /** Microseconds that never go back. */
  readonly nowUs?: (() => number) | undefined;
}

/** Attempts counted in this process, lost with it; the longest unused give way when there are too many. */
export function createInProcessAttempts({
  maxKeys = 100_000,
  nowUs = () => performance.now() * 1_000,
}: InProcessAttemptsOptions = {}): Attempts {
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
