import type { Severity } from '@portcullis/contracts/records';

/** Whose conversation a token was planted in, or came back in. */
export interface CanaryPlace {
  /** The caller: `key:7`. */
  readonly principal: string;
  /** The conversation, as far as it can be told. */
  readonly session: string;
  readonly atMs: number;
}

export const canaryLeaks = ['cross_user', 'cross_session', 'stale', 'memorization'] as const;
export type CanaryLeak = (typeof canaryLeaks)[number];

const staleAfterMs = 7 * 86_400_000;

/**
 * What it means that a token came back, `echo` when it came back where it was planted. After a week no
 * cache and no conversation explains it any more: for the caller it belonged to it is stale, for another
 * caller the model has learnt it.
 */
export function classifyObservation(planted: CanaryPlace, seen: CanaryPlace): CanaryLeak | 'echo' {
  if (planted.principal === seen.principal && planted.session === seen.session) return 'echo';
  const isOld = seen.atMs - planted.atMs > staleAfterMs;
  if (planted.principal === seen.principal) return isOld ? 'stale' : 'cross_session';
  return isOld ? 'memorization' : 'cross_user';
}

export const leakSeverities: Readonly<Record<CanaryLeak, Severity>> = {
  cross_user: 'Critical',
  memorization: 'Critical',
  stale: 'High',
  cross_session: 'Medium',
};
