import type { BreakerState, CircuitBreaker } from '@portcullis/core/resilience/circuit-breaker';
import type { buildConnector, Dispatcher } from 'undici';

/** How the way to a target does. */
export interface PoolState {
  readonly state: BreakerState;
  /** Why the target failed last; null since it answers again. */
  readonly problem: string | null;
}

/** What one process learned of a target, for the others that share its ports. */
export interface TargetNews {
  /** Names the way to the target, the same in all of them. */
  readonly key: string;
  readonly event: 'failed' | 'tried' | 'answered';
  /** Why it failed. */
  readonly problem: string | null;
}

export interface TargetPoolParts {
  readonly origin: string;
  readonly dispatcher: Dispatcher;
  /** Makes the connections of the dispatcher, and those that are none of HTTP. */
  readonly connect: buildConnector.connector;
  readonly breaker: CircuitBreaker;
  /** Calls under way at once, those included that wait for a connection. */
  readonly maxCalls: number;
  /** Told when the circuit opens, and when it closes again. */
  readonly onChange: (pool: TargetPool) => void;
  /** Told what calls learn, to be passed on. */
  readonly onNews?: (news: Omit<TargetNews, 'key'>) => void;
}

/**
 * The way to one target: its connections, and whether they are worth a try. Every call that was begun
 * must be told of as answered, failed or given up, and ended.
 */
export class TargetPool {
  readonly origin: string;
  readonly dispatcher: Dispatcher;
  readonly connect: buildConnector.connector;
  readonly #breaker: CircuitBreaker;
  readonly #onChange: TargetPoolParts['onChange'];
  readonly #onNews: TargetPoolParts['onNews'];
  readonly #maxCalls: number;
  #calls = 0;
  #problem: string | null = null;
  #suspended = false;

  constructor(parts: TargetPoolParts) {
    const { origin, dispatcher, connect, breaker, maxCalls, onChange, onNews } = parts;
    this.origin = origin;
    this.dispatcher = dispatcher;
    this.connect = connect;
    this.#breaker = breaker;
    this.#onNews = onNews;
    this.#maxCalls = maxCalls;
    this.#onChange = onChange;
  }

  get state(): PoolState {
    return { state: this.#breaker.state, problem: this.#problem };
  }

  get restsForMs(): number {
    return this.#breaker.restsForMs;
  }

  /** Begins a call, whose end must be told by `end`; undefined when it may, else why not. */
  begin(): 'circuit_open' | 'target_busy' | undefined {
    if (this.#calls >= this.#maxCalls) return 'target_busy';
    const tries = this.#breaker.state === 'half_open';
    if (!this.#breaker.admits()) return 'circuit_open';
    if (tries) this.#onNews?.({ event: 'tried', problem: null });
    this.#calls += 1;
    return undefined;
  }

  end(): void {
    this.#calls -= 1;
  }

  /** Headers of an answer have come, of any status. */
  answered(): void {
    if (this.#problem === null && this.#breaker.state === 'closed') return;
    this.#onNews?.({ event: 'answered', problem: null });
    this.#takeAnswer();
  }

  failed(problem: string): void {
    this.#onNews?.({ event: 'failed', problem });
    this.#takeFailure(problem);
  }

  /** What a call of another process learned. */
  hear({ event, problem }: Omit<TargetNews, 'key'>): void {
    if (event === 'failed') this.#takeFailure(problem ?? '');
    else if (event === 'answered') this.#takeAnswer();
    else this.#breaker.leave();
  }

  /** No client waits for the answer any more, or it was not the target that failed. */
  gaveUp(): void {
    this.#breaker.gaveUp();
  }

  #takeAnswer(): void {
    this.#breaker.succeeded();
    this.#problem = null;
    this.#reportSuspended(false);
  }

  #takeFailure(problem: string): void {
    this.#breaker.failed();
    this.#problem = problem;
    this.#reportSuspended(this.#breaker.state !== 'closed');
  }

  #reportSuspended(suspended: boolean): void {
    if (suspended === this.#suspended) return;
    this.#suspended = suspended;
    this.#onChange(this);
  }
}
