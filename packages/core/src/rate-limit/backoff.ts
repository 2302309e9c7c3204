/** How attempts at something that fails, such as a login, are slowed down. */
export interface DelayRule {
  /** Attempts that may follow each other at once, at least 1. */
  readonly freeAttempts: number;
  /** Wait after the last of them; doubles with every further attempt. */
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
  /** Quiet time after which everything is forgotten, at least `maxDelayMs`. */
  readonly forgetAfterMs: number;
}

export interface DelayState {
  readonly attempts: number;
  readonly notBeforeMs: number;
  readonly forgottenAtMs: number;
}

export interface AttemptAnswer {
  readonly allowed: boolean;
  /** Milliseconds until the next attempt is allowed; 0 when this one is. */
  readonly retryAfterMs: number;
}

/** Doublings after which every wait is the longest one: numbers stay exact. */
const maxDoublings = 40;

/** Counts an attempt, unless it comes too early; one that comes too early changes nothing. */
export function beginAttempt(
  state: DelayState | undefined,
  rule: DelayRule,
  nowMs: number,
): { readonly state: DelayState; readonly answer: AttemptAnswer } {
  const known = state !== undefined && nowMs < state.forgottenAtMs ? state : undefined;
  if (known !== undefined && nowMs < known.notBeforeMs) {
    return { state: known, answer: { allowed: false, retryAfterMs: known.notBeforeMs - nowMs } };
  }
  const attempts = Math.min((known?.attempts ?? 0) + 1, rule.freeAttempts + maxDoublings);
  const doublings = attempts - rule.freeAttempts;
  const delayMs = doublings < 0 ? 0 : Math.min(rule.firstDelayMs * 2 ** doublings, rule.maxDelayMs);
  return {
    state: { attempts, notBeforeMs: nowMs + delayMs, forgottenAtMs: nowMs + rule.forgetAfterMs },
    answer: { allowed: true, retryAfterMs: 0 },
  };
}
