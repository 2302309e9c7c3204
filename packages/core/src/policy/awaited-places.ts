/**
 * Places where one pattern may match if another text that it requires comes in time. They are asked
 * about in the order in which they came, so a pattern is still tried from left to right.
 */
export class AwaitedPlaces {
  #from = new Int32Array(8);
  #to = new Int32Array(8);
  #length = 0;
  /** Whoever calls when the text comes knows of these places. */
  isListed = false;

  /** Keeps the places `from` … `to`; those that end before `lost` can match no more. */
  add(from: number, to: number, lost: number): void {
    if (this.#length > 0 && from <= (this.#to[this.#length - 1] as number) + 1) {
      this.#to[this.#length - 1] = to;
      return;
    }
    if (this.#length === this.#from.length) this.#makeRoom(lost);
    this.#from[this.#length] = from;
    this.#to[this.#length] = to;
    this.#length += 1;
  }

  /** Calls `tryPlaces` for what has not been lost by `lost`, and keeps nothing. */
  take(lost: number, tryPlaces: (from: number, to: number) => void): void {
    const length = this.#length;
    this.#length = 0;
    for (let at = 0; at < length; at += 1) {
      const to = this.#to[at] as number;
      if (to >= lost) tryPlaces(this.#from[at] as number, to);
    }
  }

  clear(): void {
    this.#length = 0;
    this.isListed = false;
  }

  /** Drops what is lost, and grows when that is not half of all. */
  #makeRoom(lost: number): void {
    let first = 0;
    while (first < this.#length && (this.#to[first] as number) < lost) first += 1;
    const size = first * 2 < this.#length ? this.#length * 2 : this.#from.length;
    const [from, to] = [new Int32Array(size), new Int32Array(size)];
    from.set(this.#from.subarray(first));
    to.set(this.#to.subarray(first));
    this.#from = from;
    this.#to = to;
    this.#length -= first;
  }
}
