export interface BreakerRule {
  /** Failures in a row after which the circuit opens; 0 is never. */
  readonly maxFailures: number;
  /** For how long. Then one question at a time tries it again. */
  readonly restMs: number;
  /** How much longer this one waits, so that others who share the peer try it first and say so. 0 unless given. */
  readonly turnMs?: number;
}

/** Closed: the peer is asked. Open: it rests. Half open: a caller may try, or tries, whether it is back. */
export type BreakerState = 'closed' | 'open' | 'half_open';

/**
 * Spares callers the wait for a peer that keeps failing. Every question that was admitted must be told
 * of as succeeded, failed or given up.
 */
export class CircuitBreaker {
  readonly #rule: BreakerRule;
  readonly #nowMs: () => number;
  #failures = 0;
  #restsUntilMs = 0;
  #trialEndsMs = 0;

  constructor(rule: BreakerRule, nowMs: () => number) {
    this.#rule = rule;
    this.#nowMs = nowMs;
  }

  get state(): BreakerState {
    const { maxFailures } = this.#rule;
    if (maxFailures === 0 || this.#failures < maxFailures) return 'closed';
    return this.#nowMs() < this.#restsUntilMs ? 'open' : 'half_open';
  }

  /** Until a caller may try again; 0 when that is now. */
  get restsForMs(): number {
    return this.state === 'closed' ? 0 : Math.max(0, this.#restsUntilMs - this.#nowMs());
  }

  admits(): boolean {
    const { state } = this;
    if (state !== 'half_open') return state === 'closed';
    // A trial that takes longer than a rest tells nothing yet, so another may have more luck.
    if (this.#nowMs() < this.#trialEndsMs) return false;
    this.#trialEndsMs = this.#nowMs() + this.#rule.restMs;
    return true;
  }

  /** Another process tries it: no caller here does meanwhile. */
  leave(): void {
    this.#trialEndsMs = this.#nowMs() + this.#rule.restMs;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#trialEndsMs = 0;
  }

  failed(): void {
    this.#failures += 1;
    this.#trialEndsMs = 0;
    const { maxFailures, restMs, turnMs = 0 } = this.#rule;
    if (this.#failures >= maxFailures) this.#restsUntilMs = this.#nowMs() + restMs + turnMs;
  }

  /** No client waits for the answer any more, so it tells nothing. */
  gaveUp(): void {
    this.#trialEndsMs = 0;
  }
}
