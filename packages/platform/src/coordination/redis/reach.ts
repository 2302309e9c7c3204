import type { Logger } from '../../log/logger.ts';

const againMs = 60_000;

/** Tells of a Redis that is out of reach: once for all connections, every minute again, and when all are back. */
export class Reach {
  readonly #log: Logger;
  readonly #away = new Set<string>();
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** @param nowMs of a clock that never jumps */
  lost(connection: string, problem: string, nowMs = performance.now()): void {
    const isNew = this.#away.size === 0;
    this.#away.add(connection);
    if (!isNew && nowMs - this.#toldAt < againMs) return;
    this.#log.warn('Redis is out of reach', { connection, problem });
    this.#toldAt = nowMs;
  }

  found(connection: string): void {
    if (this.#away.delete(connection) && this.#away.size === 0) this.#log.info('Redis is back');
  }

  /** The connection was ended by us: no caller waits for it any more. */
  forget(connection: string): void {
    this.#away.delete(connection);
  }
}
