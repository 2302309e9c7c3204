import type { Logger } from '../../log/logger.ts';

const againMs = 60_000;

/**
 * What the log and the health report say of Redis: that it is out of reach, or answers and refuses to count. Logged once for all
 * connections, again every minute, and when it is over.
 */
export class RedisStatus {
  readonly #log: Logger;
  readonly #away = new Set<string>();
  #loggedAt = Number.NEGATIVE_INFINITY;
  #refusal: string | undefined;
  #refusalLoggedAt = Number.NEGATIVE_INFINITY;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** @param nowMs of a clock that never jumps */
  lost(connection: string, problem: string, nowMs = performance.now()): void {
    const isNew = this.#away.size === 0;
    this.#away.add(connection);
    if (!isNew && nowMs - this.#loggedAt < againMs) return;
    this.#log.warn('Redis is out of reach', { connection, problem });
    this.#loggedAt = nowMs;
  }

  /** Why limits and budgets are not counted for all; undefined while they are. */
  get problem(): string | undefined {
    return this.#away.size > 0 ? 'Redis is out of reach' : this.#refusal && `Redis refuses: ${this.#refusal}`;
  }

  /** Redis answered, and did not do what it was asked. @param nowMs as of `lost` */
  refused(problem: string, nowMs = performance.now()): void {
    const isNew = this.#refusal === undefined;
    this.#refusal = problem;
    if (!isNew && nowMs - this.#refusalLoggedAt < againMs) return;
    this.#log.warn('Redis refuses to count, so each process keeps limits and budgets by itself', { problem });
    this.#refusalLoggedAt = nowMs;
  }

  /** It did. */
  accepted(): void {
    if (this.#refusal === undefined) return;
    this.#refusal = undefined;
    this.#log.info('Redis counts again');
  }

  found(connection: string): void {
    if (this.#away.delete(connection) && this.#away.size === 0) this.#log.info('Redis is back');
  }

  /** The connection was ended by us: no caller waits for it any more. */
  forget(connection: string): void {
    this.#away.delete(connection);
  }
}
