/**
 * Places where a pattern may match, as ranges with both ends included. They come in the order in which
 * their texts end, which is nearly the order in which they begin.
 */
export class PlaceList {
  /** A start and an end for each range. */
  #places = new Int32Array(16);
  #isSorted = true;
  length = 0;

  from(index: number): number {
    return this.#places[2 * index] as number;
  }

  to(index: number): number {
    return this.#places[2 * index + 1] as number;
  }

  add(from: number, to: number): void {
    const end = 2 * this.length;
    if (end > 0) {
      const last = this.#places[end - 2] as number;
      if (from < last) this.#isSorted = false;
      else if (from === last && to === this.#places[end - 1]) return;
    }
    if (end === this.#places.length) this.#grow();
    this.#places[end] = from;
    this.#places[end + 1] = to;
    this.length += 1;
  }

  /** Lets each range begin at `first(from, to)`, and drops it where that is behind its end. */
  narrow(first: (from: number, to: number) => number): void {
    const { length } = this;
    this.clear();
    for (let index = 0; index < length; index += 1) {
      const to = this.to(index);
      const from = first(this.from(index), to);
      if (from <= to) this.add(from, to);
    }
  }

  /** Orders the ranges by where they begin. Each is but a few places away from where it belongs. */
  sort(): void {
    if (this.#isSorted) return;
    const places = this.#places;
    for (let index = 2; index < 2 * this.length; index += 2) {
      const from = places[index] as number;
      const to = places[index + 1] as number;
      let at = index;
      while (at > 0 && (places[at - 2] as number) > from) {
        places[at] = places[at - 2] as number;
        places[at + 1] = places[at - 1] as number;
        at -= 2;
      }
      places[at] = from;
      places[at + 1] = to;
    }
    this.#isSorted = true;
  }

  /** Forgets the first ranges. */
  drop(count: number): void {
    if (count < this.length) this.#places.copyWithin(0, 2 * count, 2 * this.length);
    this.length -= count;
    this.#isSorted = true;
  }

  clear(): void {
    this.length = 0;
    this.#isSorted = true;
  }

  #grow(): void {
    const places = new Int32Array(this.#places.length * 2);
    places.set(this.#places);
    this.#places = places;
  }
}
