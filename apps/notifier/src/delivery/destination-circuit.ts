import { setTimeout as pause } from 'node:timers/promises';
import { CircuitBreaker, type BreakerState } from '@portcullis/core/resilience/circuit-breaker';
import type { DeliveryOutcome } from '../senders/delivery-outcome.ts';

/** Failures in a row after which a destination counts as away. */
const maxFailures = 5;
/** A message that has met nothing but failures for so long has them counted again, or one that no one can take would stay for ever. */
const maxHoldMs = 86_400_000;
/** Those who wait look at their settings so often. */
const pollIntervalMs = 1_000;
/** How often they ask while one of them tries. */
const retryIntervalMs = 100;

export interface CircuitOptions {
  /** How long a destination that is away is left alone before one message tries it again. */
  readonly restMs: number;
  /** Called when the circuit opens, and when it is closed again. */
  readonly onChange: (isOpen: boolean) => void;
  readonly nowMs?: () => number;
}

/** What a message is sent with. */
export interface Sending {
  readonly attempt: () => Promise<DeliveryOutcome>;
  /** False when it must not be sent as it stands any more, since the settings have changed. Asked while it waits. */
  readonly isCurrent: () => Promise<boolean>;
  readonly signal: AbortSignal;
}

/**
 * Spares a destination that is away, and the messages for it. While the circuit is open messages wait in hand, and those
 * behind them in the queue; one at a time tries whether the destination is back, and its failures are not counted as attempts.
 */
export class DestinationCircuit {
  readonly #options: CircuitOptions;
  readonly #nowMs: () => number;
  #breaker: CircuitBreaker;
  #changed = Promise.withResolvers<void>();

  constructor(options: CircuitOptions) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? (() => performance.now());
    this.#breaker = this.#createBreaker();
  }

  get state(): BreakerState {
    return this.#breaker.state;
  }

  /** Forgets all failures: the destination is another one now. */
  reset(): void {
    const wasOpen = this.state !== 'closed';
    this.#breaker = this.#createBreaker();
    this.#notifyChange(wasOpen);
  }

  /** Never rejects. */
  async send({ attempt, isCurrent, signal }: Sending): Promise<DeliveryOutcome> {
    const begunAtMs = this.#nowMs();
    for (;;) {
      if (!(await this.#isAdmitted(isCurrent, signal))) {
        return {
          kind: 'failed',
          status: null,
          reason: 'The settings changed, or the service stopped, while it waited',
        };
      }
      const wasOpen = this.state !== 'closed';
      const outcome = await attempt();
      if (signal.aborted) this.#breaker.gaveUp();
      else if (isAway(outcome)) this.#breaker.failed();
      else this.#breaker.succeeded();
      this.#notifyChange(wasOpen);
      const isHeld = wasOpen && isAway(outcome) && !signal.aborted && this.#nowMs() - begunAtMs < maxHoldMs;
      if (!isHeld) return outcome;
    }
  }

  /** Waits until a message may be sent. False when it must not be any more. */
  async #isAdmitted(isCurrent: Sending['isCurrent'], signal: AbortSignal): Promise<boolean> {
    let lookAtMs = this.#nowMs() + pollIntervalMs;
    while (!this.#breaker.admits()) {
      const waitMs = Math.min(Math.max(this.#breaker.restsForMs, retryIntervalMs), pollIntervalMs);
      const over = new AbortController();
      const rest = pause(waitMs, undefined, { signal: AbortSignal.any([signal, over.signal]) }).catch(() => undefined);
      await Promise.race([rest, this.#changed.promise]);
      over.abort();
      if (signal.aborted) return false;
      if (this.#nowMs() < lookAtMs) continue;
      if (!(await isCurrent())) return false;
      lookAtMs = this.#nowMs() + pollIntervalMs;
    }
    return true;
  }

  #createBreaker(): CircuitBreaker {
    return new CircuitBreaker({ maxFailures, restMs: this.#options.restMs }, this.#nowMs);
  }

  #notifyChange(wasOpen: boolean): void {
    const isOpen = this.state !== 'closed';
    if (isOpen !== wasOpen) this.#options.onChange(isOpen);
    // Those who wait look again at once.
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}

/** Nothing came back, or a proxy before the destination said that it is not there. An answer of its own, even a refusal, shows that it is. */
const isAway = (outcome: DeliveryOutcome): boolean =>
  outcome.kind === 'failed' && (outcome.status === null || [502, 503, 504].includes(outcome.status));
