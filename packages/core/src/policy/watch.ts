import type { CompiledPattern } from './compiled-plan.ts';

/** A range of places, both ends included, as offsets in the stream. `to` is Infinity for every place to come. */
export interface Place {
  from: number;
  to: number;
}

/** The places of a stream where matches of one pattern may begin and that are not decided yet. */
export class Watch {
  readonly pattern: CompiledPattern;
  /** Ascending and apart from each other. */
  readonly places: Place[] = [];
  /** Length of the stream at which another look is worth its price. */
  nextLook = 0;
  /** The first place that was never added. */
  #frontier = 0;
  /** Matches of one pattern do not overlap: none begins before this. */
  #floor = 0;
  #count = 0;

  constructor(pattern: CompiledPattern) {
    this.pattern = pattern;
  }

  /** Adds the places that are new. Both ends never decrease from call to call. */
  add(from: number, to: number): boolean {
    const first = Math.max(from, this.#frontier, this.#floor);
    if (first > to) return false;
    this.#frontier = to + 1;
    const previous = this.places.at(-1);
    if (previous !== undefined && first <= previous.to + 1) {
      previous.to = to;
      return true;
    }
    if (previous === undefined) this.nextLook = 0;
    this.places.push({ from: first, to });
    return true;
  }

  /** The first undecided places. */
  firstPlace(): Place | undefined {
    let place = this.places[0];
    while (place !== undefined && Math.max(place.from, this.#floor) > place.to) {
      this.places.shift();
      place = this.places[0];
    }
    if (place !== undefined) place.from = Math.max(place.from, this.#floor);
    return place;
  }

  /** None of the first places that have arrived begins a match. */
  dismiss(length: number): void {
    const place = this.places[0];
    if (place?.to === Infinity) place.from = length;
    else this.places.shift();
  }

  /** No match begins before `place`. */
  skipTo(place: number): void {
    this.#floor = Math.max(this.#floor, place);
    this.firstPlace();
  }

  /** A match that ends at `end` has been reported. */
  found(end: number): void {
    this.#count += 1;
    this.skipTo(this.#count < this.pattern.maxFindings ? end : Infinity);
  }
}

export const createWatch = (pattern: CompiledPattern): Watch => new Watch(pattern);
