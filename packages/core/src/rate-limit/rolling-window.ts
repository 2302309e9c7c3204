/** Calls are counted by the second in which they came, so that a window is at most 61 numbers for any limit. */
const slotMs = 1_000;
const windowSlots = 60;

export const windowSlotUs = slotMs * 1_000;

/** Slots before this one have left the window, the whole of their second included. */
export const oldestWindowSlot = (slot: number): number => slot - windowSlots;

export interface WindowAnswer {
  readonly allowed: boolean;
  /** Until the oldest counted call has left the window; 0 when allowed. */
  readonly retryAfterMs: number;
}

const allowed: WindowAnswer = Object.freeze({ allowed: true, retryAfterMs: 0 });

/** When the window has room again whose oldest calls came in `slot`. */
export const windowDenial = (slot: number, nowMs: number): WindowAnswer => ({
  allowed: false,
  retryAfterMs: Math.ceil((slot + windowSlots + 1) * slotMs - nowMs),
});

/** The calls of the last minute: never more than the limit in any minute, wherever it begins. Refused ones do not count. */
export class RollingWindow {
  /** Oldest first. */
  readonly #slots: { readonly slot: number; count: number }[] = [];
  #total = 0;

  /** Counts a call if there is room. @param limit per minute @param nowMs never goes back */
  count(limit: number, nowMs: number): WindowAnswer {
    const slot = Math.floor(nowMs / slotMs);
    this.#forget(oldestWindowSlot(slot));
    if (this.#total >= limit) return windowDenial(this.#slots[0]?.slot ?? slot, nowMs);
    const last = this.#slots.at(-1);
    if (last?.slot === slot) last.count += 1;
    else this.#slots.push({ slot, count: 1 });
    this.#total += 1;
    return allowed;
  }

  /** Whether it says anything at that moment. */
  isEmpty(nowMs: number): boolean {
    this.#forget(oldestWindowSlot(Math.floor(nowMs / slotMs)));
    return this.#total === 0;
  }

  #forget(oldest: number): void {
    for (let [first] = this.#slots; first !== undefined && first.slot < oldest; [first] = this.#slots) {
      this.#slots.shift();
      this.#total -= first.count;
    }
  }
}
