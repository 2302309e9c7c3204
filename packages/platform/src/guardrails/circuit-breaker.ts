/** Failures in a row after which a provider is left alone. */
const maxFailures = 5;
/** For how long. Then one question tries it again. */
const restMs = 15_000;

/**
 * Spares callers the wait for a provider that keeps failing. Every question that was admitted must be told
 * of as succeeded, failed or given up.
 */
export class CircuitBreaker {
  readonly #nowMs: () => number;
  #failures = 0;
  #restsUntilMs = 0;
  #trying = false;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  get state(): 'closed' | 'open' | 'half_open' {
    if (this.#failures < maxFailures) return 'closed';
    return this.#nowMs() < this.#restsUntilMs ? 'open' : 'half_open';
  }

  admits(): boolean {
    const { state } = this;
    if (state === 'half_open' && !this.#trying) return (this.#trying = true);
    return state === 'closed';
  }

  succeeded(): void {
    this.#failures = 0;
    this.#trying = false;
  }

  failed(): void {
    this.#failures += 1;
    this.#trying = false;
    if (this.#failures >= maxFailures) this.#restsUntilMs = this.#nowMs() + restMs;
  }

  /** Nobody waits for the answer any more, so it tells nothing. */
  gaveUp(): void {
    this.#trying = false;
  }
}
