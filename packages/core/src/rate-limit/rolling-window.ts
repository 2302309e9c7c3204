/** Calls are counted by the second in which they came, so that a window is at most 61 numbers for any limit. */
export const windowSlotUs = 1_000_000;
/** A second counts until its latest call is so old. */
export const windowUs = 60 * windowSlotUs;

export interface WindowAnswer {
  readonly allowed: boolean;
  /** Until the oldest counted call has left the window; 0 when allowed. */
  readonly retryAfterMs: number;
}

const allowed: WindowAnswer = Object.freeze({ allowed: true, retryAfterMs: 0 });

/** When the window has room again whose oldest second had its latest call then. */
const windowDenial = (latestUs: number, nowUs: number): WindowAnswer => ({
  allowed: false,
  retryAfterMs: Math.ceil((latestUs + windowUs - nowUs) / 1_000),
});

/** The calls of the last minute: never more than the limit in any minute, wherever it begins. Refused ones do not count. */
export class RollingWindow {
  /** Oldest first. */
  readonly #slots: { readonly slot: number; count: number; latestUs: number }[] = [];
  #total = 0;

  /** Counts a call if there is room. @param limit per minute @param nowMs never goes back */
  count(limit: number, nowMs: number): WindowAnswer {
    const nowUs = microseconds(nowMs);
    const slot = Math.floor(nowUs / windowSlotUs);
    this.#forget(nowUs);
    if (this.#total >= limit) return windowDenial(this.#slots[0]?.latestUs ?? nowUs, nowUs);
    const last = this.#slots.at(-1);
    if (last?.slot === slot) {
      last.count += 1;
      last.latestUs = nowUs;
    } else this.#slots.push({ slot, count: 1, latestUs: nowUs });
    this.#total += 1;
    return allowed;
  }

  /** Whether it says anything at that moment. */
  isEmpty(nowMs: number): boolean {
    this.#forget(microseconds(nowMs));
    return this.#total === 0;
  }

  #forget(nowUs: number): void {
    for (let [first] = this.#slots; first !== undefined && first.latestUs + windowUs <= nowUs; [first] = this.#slots) {
      this.#slots.shift();
      this.#total -= first.count;
    }
  }
}

/** Whole ones: what is added to a fraction of a millisecond is rounded. */
const microseconds = (nowMs: number): number => Math.round(nowMs * 1_000);
