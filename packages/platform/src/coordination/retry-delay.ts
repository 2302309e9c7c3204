import type { RetryRule } from './coordination.ts';

const maxDelayMs = 3_600_000;

/** Pause after the given number of failed attempts, in milliseconds: doubles each time, up to one hour. */
export const retryDelayMs = (retry: Pick<RetryRule, 'backoffMs'>, failedAttempts: number): number =>
  Math.min(retry.backoffMs * 2 ** (failedAttempts - 1), maxDelayMs);
