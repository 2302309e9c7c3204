import { CircuitBreaker, type BreakerRule, type BreakerState } from '@portcullis/core/resilience/circuit-breaker';
import type { Dispatcher } from 'undici';

/** How the way to a target does. */
export interface LinkState {
  readonly state: BreakerState;
  /** Why the target failed last; null since it answers again. */
  readonly problem: string | null;
}

export interface TargetLinkParts {
  readonly origin: string;
  readonly dispatcher: Dispatcher;
  readonly breaker: BreakerRule;
  /** Told when the target is left alone, and when it answers again. */
  readonly onChange: (link: TargetLink) => void;
  readonly nowMs?: () => number;
}

/**
 * The way to one target: its connections, and whether they are worth a try. Every call that was
 * admitted must be told of as answered, failed or given up.
 */
export class TargetLink {
  readonly origin: string;
  readonly dispatcher: Dispatcher;
  readonly #breaker: CircuitBreaker;
  readonly #onChange: TargetLinkParts['onChange'];
  #problem: string | null = null;
  #suspended = false;

  constructor({ origin, dispatcher, breaker, onChange, nowMs = () => performance.now() }: TargetLinkParts) {
    this.origin = origin;
    this.dispatcher = dispatcher;
    this.#breaker = new CircuitBreaker(breaker, nowMs);
    this.#onChange = onChange;
  }

  get state(): LinkState {
    return { state: this.#breaker.state, problem: this.#problem };
  }

  get restsForMs(): number {
    return this.#breaker.restsForMs;
  }

  admits(): boolean {
    return this.#breaker.admits();
  }

  /** Headers of an answer have come, whatever they say. */
  answered(): void {
    if (this.#problem === null) return;
    this.#breaker.succeeded();
    this.#problem = null;
    this.#tell(false);
  }

  failed(problem: string): void {
    this.#breaker.failed();
    this.#problem = problem;
    this.#tell(this.#breaker.state !== 'closed');
  }

  /** Nobody waits for the answer any more, or it was not the target that failed. */
  gaveUp(): void {
    this.#breaker.gaveUp();
  }

  #tell(suspended: boolean): void {
    if (suspended === this.#suspended) return;
    this.#suspended = suspended;
    this.#onChange(this);
  }
}
