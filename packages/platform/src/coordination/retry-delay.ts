import type { RetryRule } from './coordination.ts';

const maxDelayMs = 3_600_000;

/** Pause after the given number of failed attempts, in milliseconds: doubles each time, up to one hour. */
export const retryDelayMs = (retry: Pick<RetryRule, 'backoffMs'>, failedAttempts: number): number =>
  Math.min(retry.backoffMs * 2 ** (failedAttempts - 1), maxDelayMs);

/** Part of a pause by which it may be longer, so that what failed together does not come back together. */
const jitter = 0.25;

/** The pause with its share of chance: up to a quarter longer. @param chance from 0 to 1 */
export const jitteredDelayMs = (
  retry: Pick<RetryRule, 'backoffMs'>,
  failedAttempts: number,
  chance: number = Math.random(),
): number => Math.round(retryDelayMs(retry, failedAttempts) * (1 + jitter * chance));
