import type { ScopedPattern } from '../scope/scoped-pattern.ts';
import type { ActivePaths } from '../pattern/active-paths.ts';

/** A range of places, both ends included, as offsets in the stream. */
interface Range {
  from: number;
  to: number;
}

/**
 * The places of a stream where matches of one pattern may begin and that are not decided yet. A place
 * is settled when no path from it can go on: the engine will say the same about it for any text that follows.
 */
export class OpenMatches {
  readonly pattern: ScopedPattern;
  /** Ascending and apart from each other. The last one ends at Infinity when every place is watched. */
  readonly #places: Range[] = [];
  /** The first place that was never added. */
  #frontier = 0;
  /** Matches of one pattern do not overlap: none begins before this. */
  #floor = 0;
  /** Taken when places are added and returned when all are decided: most watches are idle most of the time. */
  #paths: ActivePaths | undefined;
  /** Places were added that the paths have already gone past. */
  #isStale = true;
  #visited = 0;

  /** `floor` is where the last match of a scan ended that this one takes over from. */
  constructor(pattern: ScopedPattern, floor = 0) {
    this.pattern = pattern;
    this.#floor = floor;
  }

  get floor(): number {
    return this.#floor;
  }

  /** The first undecided place; undefined when there is none. */
  get from(): number | undefined {
    return this.#first()?.from;
  }

  /** Paths have come to their end, so that there may be a match to be found. */
  get mayMatch(): boolean {
    return this.#paths?.hasEnded ?? false;
  }

  /** What following the paths has cost so far, in steps. */
  get visited(): number {
    return this.#visited;
  }

  /** Adds the places that are new. Neither end decreases from call to call. */
  add(from: number, to: number): void {
    const first = Math.max(from, this.#frontier, this.#floor);
    if (first > to) return;
    this.#frontier = to + 1;
    if (this.#paths === undefined || first < this.#paths.position) this.#isStale = true;
    const last = this.#places.at(-1);
    if (last !== undefined && first <= last.to + 1) last.to = to;
    else this.#places.push({ from: first, to });
  }

  /**
   * Follows the paths up to the offset `to` of the stream, where no match is longer than `longest`.
   * Answers the place before which everything is settled. `base` is the offset of the text's start.
   */
  follow(text: string, base: number, to: number, longest: number): number {
    const from = this.from;
    if (from === undefined) return to;
    const paths = (this.#paths ??= this.pattern.compiled.takePaths());
    if (this.#isStale) paths.restart(from);
    this.#isStale = false;
    const { visited } = paths;
    paths.read(text, base, to, this.#places);
    paths.forgetBefore(Math.max(this.#floor, to - longest));
    this.#visited += paths.visited - visited;
    return paths.earliest();
  }

  /** The last place of the first range of undecided places. */
  get to(): number {
    return this.#first()?.to ?? this.#floor;
  }

  /** The undecided places before `place` are decided. */
  settle(place: number): void {
    for (let first = this.#first(); first !== undefined && first.from < place; first = this.#first()) {
      if (first.to >= place) first.from = place;
      else this.#places.shift();
    }
    if (this.from !== undefined || this.#paths === undefined) return;
    this.pattern.compiled.returnPaths(this.#paths);
    this.#paths = undefined;
    this.#isStale = true;
  }

  /** A match ends at `end`; no more are `wanted` when every rule has found enough. */
  found(end: number, wanted: boolean): void {
    this.#floor = wanted ? end : Infinity;
  }

  #first(): Range | undefined {
    let first = this.#places[0];
    while (first !== undefined && Math.max(first.from, this.#floor) > first.to) {
      this.#places.shift();
      first = this.#places[0];
    }
    // A watch of every place that has found enough watches none.
    if (first === undefined || this.#floor === Infinity) return undefined;
    first.from = Math.max(first.from, this.#floor);
    return first;
  }
}
