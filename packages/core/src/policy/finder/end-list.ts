/** Places in ascending order. */
export class EndList {
  #ends = new Int32Array(16);
  length = 0;

  add(end: number): void {
    if (this.length === this.#ends.length) {
      const ends = new Int32Array(this.length * 2);
      ends.set(this.#ends);
      this.#ends = ends;
    }
    this.#ends[this.length] = end;
    this.length += 1;
  }

  /** The first index, from `index` on, of a place that is no smaller than `place`. */
  skipTo(place: number, index: number): number {
    let at = index;
    while (at < this.length && (this.#ends[at] as number) < place) at += 1;
    return at;
  }

  /** The place; beyond all others when there is none. */
  at(index: number): number {
    return index < this.length ? (this.#ends[index] as number) : Infinity;
  }

  forgetBefore(place: number): void {
    const first = this.skipTo(place, 0);
    this.#ends.copyWithin(0, first, this.length);
    this.length -= first;
  }

  clear(): void {
    this.length = 0;
  }
}
