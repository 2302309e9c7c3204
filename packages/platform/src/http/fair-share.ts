/**
 * Something of which a process has only so much, for all keys together. While half of it is free each takes what it
 * needs; after that a key that holds a tenth of it gets no more, so that no key can keep it from all others.
 */
export class FairShare<Key = number> {
  readonly #limit: number;
  readonly #held = new Map<Key, number>();
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** False, and nothing is taken, where there is not so much left for this key. What is taken is given back once. */
  take(keyId: Key, amount: number): boolean {
    const total = this.#total + amount;
    const held = this.#held.get(keyId) ?? 0;
    if (total > this.#limit || (total > this.#limit / 2 && held >= this.#limit / 10)) return false;
    this.#total = total;
    this.#held.set(keyId, held + amount);
    return true;
  }

  give(keyId: Key, amount: number): void {
    this.#total -= amount;
    const left = (this.#held.get(keyId) ?? 0) - amount;
    if (left > 0) this.#held.set(keyId, left);
    else this.#held.delete(keyId);
  }
}
