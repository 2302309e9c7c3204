import type { Redis } from 'ioredis';
import { withTimeout } from './with-timeout.ts';

/**
 * An answer within the first turn of the timer may have waited for this process; one that is not there in the
 * second has waited for Redis.
 */
const slowFromIntervals = 2;
/** So many slow answers in a row, and the circuit opens. */
const maxSlow = 3;
const probeEveryMs = 250;

/**
 * Asks Redis on behalf of requests that wait. While its answers are slow no request waits for them: calls are refused at
 * once, and their callers decide by themselves, until a probe beside the traffic is answered quickly again.
 */
export class RedisBreaker {
  readonly #client: Redis;
  readonly #timeoutMs: number;
  #slow = 0;
  #probe: NodeJS.Timeout | undefined;

  constructor(client: Redis, timeoutMs: number) {
    this.#client = client;
    this.#timeoutMs = timeoutMs;
    client.once('end', () => clearTimeout(this.#probe));
  }

  /**
   * @param question is handed what it is to be told: after how many turns of a timer the answer came or was given up
   * @throws while the circuit is open
   */
  ask<Answer>(question: (onReply: (intervalsTaken: number) => void) => Promise<Answer>): Promise<Answer> {
    if (this.#probe !== undefined) return Promise.reject(new Error('Redis answers slowly, its circuit is open'));
    return question(this.#judge);
  }

  readonly #judge = (intervalsTaken: number): void => {
    this.#slow = intervalsTaken < slowFromIntervals ? 0 : this.#slow + 1;
    if (this.#slow >= maxSlow && this.#probe === undefined) this.#planProbe();
  };

  #planProbe(): void {
    this.#probe = setTimeout(() => void this.#try(), probeEveryMs).unref();
  }

  async #try(): Promise<void> {
    let quick = false;
    await withTimeout(
      this.#client,
      this.#timeoutMs,
      () => this.#client.ping(),
      (intervalsTaken) => (quick = intervalsTaken < slowFromIntervals),
    ).catch(() => (quick = false));
    // A connection that is gone fails at once by itself.
    if (!quick && this.#client.status === 'ready') return this.#planProbe();
    this.#slow = 0;
    this.#probe = undefined;
  }
}
