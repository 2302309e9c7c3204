/** The places for requests that a proxy serves at once. */
export interface Slots {
  /** Takes one of `limit` places; false when all are taken. The one who took it frees it. */
  take(proxyId: number, limit: number): boolean | Promise<boolean>;
  free(proxyId: number): void;
}

/** Places counted in this process. */
export class LocalSlots implements Slots {
  readonly #taken = new Map<number, number>();

  take(proxyId: number, limit: number): boolean {
    const taken = this.#taken.get(proxyId) ?? 0;
    if (taken >= limit) return false;
    this.#taken.set(proxyId, taken + 1);
    return true;
  }

  free(proxyId: number): void {
    const left = (this.#taken.get(proxyId) ?? 0) - 1;
    if (left > 0) this.#taken.set(proxyId, left);
    else this.#taken.delete(proxyId);
  }
}
