/** Taken for the number of those who share the accounts until it is known. */
const assumedProcesses = 8;
/** For so long a smaller number is not believed: a store that has come back without memory hears of its sharers one by one. */
const believedMs = 30_000;

/**
 * How many processes share the accounts, for when the store is away and each spends its part of what was left. A number that is
 * too small would let all of them together spend more than that.
 */
export class ProcessCount {
  #count = assumedProcesses;
  /** When it was last confirmed, or the store was last away. */
  #believedAtMs = Number.NEGATIVE_INFINITY;

  get value(): number {
    return this.#count;
  }

  /** @param nowMs of a clock that is never set */
  hear(count: number, nowMs: number): void {
    if (count < this.#count && nowMs - this.#believedAtMs < believedMs) return;
    this.#count = count;
    this.#believedAtMs = nowMs;
  }

  storeIsAway(nowMs: number): void {
    this.#believedAtMs = nowMs;
  }
}
