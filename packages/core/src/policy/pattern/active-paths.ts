import { contains, wordChars } from './char-set.ts';
import { has, op, type PathProgram } from './path-program.ts';
import type { EdgeSyntax } from './syntax.ts';

/** A range of places where a match may begin, both ends included. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

/** Largest number of units that a gap counts. */
const maxCount = 0xffff;

/** Stands for the unit before the first one. */
const nothing = -1;

/**
 * Follows all paths of a pattern through a text that arrives in pieces, from every place where a
 * match may begin. It answers what a stream has to know: from which place on a match may still be
 * growing, and whether any path has come to its end, so that asking the engine is worth it.
 *
 * Of paths that stand at the same step only the earliest counts: they have the same future. So a
 * character costs no more than the program has steps, however many places there are.
 */
export class ActivePaths {
  /** The offset up to which the text has been read. */
  position = 0;
  /** A path has come to its end since the last restart. */
  hasEnded = false;
  /** Steps visited in all: what following the paths has cost. */
  visited = 0;
  readonly #program: PathProgram;
  /** What stands before the unit that is read next, and before the one behind it. */
  #now: Standing;
  #next: Standing;
  /** By step: the earliest path that passed it at this position, as its start + 1. */
  readonly #passed: Int32Array;
  readonly #passedSteps: number[] = [];
  /** Steps still to be visited by the path at hand. */
  readonly #stack: number[] = [];

  constructor(program: PathProgram) {
    this.#program = program;
    this.#now = new Standing(program.size);
    this.#next = new Standing(program.size);
    this.#passed = new Int32Array(program.size);
  }

  get isEmpty(): boolean {
    return this.#now.steps.length === 0;
  }

  /** The earliest place from which a match may still be growing; `position` when none is. */
  earliest(): number {
    let earliest = this.position;
    for (const step of this.#now.steps) earliest = Math.min(earliest, this.#now.start[step] ?? earliest);
    return earliest;
  }

  /** What began before `place` is over, or does not matter any more. */
  forgetBefore(place: number): void {
    const { steps, start } = this.#now;
    for (const step of steps) start[step] = Math.max(start[step] ?? place, place);
  }

  /** Drops all paths and goes on at `position`. */
  restart(position: number): void {
    this.position = position;
    this.hasEnded = false;
    this.#now.clear();
  }

  /**
   * Reads on to the offset `to`. Paths begin at `places`, ascending and apart from each other. `base`
   * is the offset of the text's first unit.
   */
  read(text: string, base: number, to: number, places: readonly Place[]): void {
    if (to <= this.position) return;
    let index = 0;
    for (; this.position < to; this.position += 1) {
      const { position } = this;
      while ((places[index]?.to ?? Infinity) < position) index += 1;
      const place = places[index];
      if (this.isEmpty) {
        if (place === undefined || place.from >= to) break;
        if (place.from > position) {
          this.position = place.from - 1;
          continue;
        }
      }
      const at = position - base;
      // Most units begin nothing.
      if (this.isEmpty && !has(this.#program.first, text.charCodeAt(at))) {
        this.visited += 1;
        continue;
      }
      this.#readUnit(at > 0 ? text.charCodeAt(at - 1) : nothing, text.charCodeAt(at), place);
    }
    this.position = to;
  }

  #readUnit(before: number, unit: number, place: Place | undefined): void {
    const { ops, next } = this.#program;
    this.visited += this.#now.steps.length + 1;
    for (const step of this.#now.steps) {
      const start = this.#now.start[step] ?? 0;
      if (ops[step] !== op.gap) this.#visit(step, start, before, unit);
      else if (this.#stay(step, start, this.#now.fewest[step] ?? 0, this.#now.most[step] ?? 0, unit)) {
        this.#visit(next[step] ?? 0, start, before, unit);
      }
    }
    if (place !== undefined && place.from <= this.position) {
      this.#visit(this.#program.start, this.position, before, unit);
    }
    for (const step of this.#passedSteps) this.#passed[step] = 0;
    this.#passedSteps.length = 0;
    this.#now.clear();
    [this.#now, this.#next] = [this.#next, this.#now];
  }

  /** Follows a path from a step over all steps that take no unit, and through those that take this one. */
  #visit(first: number, start: number, before: number, unit: number): void {
    const { ops, next, other, sets, edges } = this.#program;
    const stack = this.#stack;
    stack.push(first);
    for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
      this.visited += 1;
      if (!this.#pass(step, start)) continue;
      const follower = next[step] ?? 0;
      switch (ops[step] ?? op.accept) {
        case op.char: {
          const set = sets[step];
          if (set !== undefined && has(set, unit)) this.#arrive(follower, start, 0, 0);
          break;
        }
        case op.gap:
          if (this.#stay(step, start, 0, 0, unit)) stack.push(follower);
          break;
        case op.split:
          stack.push(other[step] ?? 0, follower);
          break;
        case op.edge:
          if (holds(edges[step], before, unit)) stack.push(follower);
          break;
        default:
          this.hasEnded = true;
      }
    }
  }

  /**
   * Lets paths stay in a gap for one more unit; true when some may leave it. A gap keeps the fewest and
   * the most units that its paths have taken: the one tells when the last path must leave, the other
   * when the first one may.
   */
  #stay(step: number, start: number, fewest: number, most: number, unit: number): boolean {
    const max = this.#program.max[step] ?? 0;
    const set = this.#program.sets[step];
    if (fewest < max && set !== undefined && has(set, unit)) {
      this.#arrive(step, start, Math.min(fewest + 1, maxCount), Math.min(most + 1, max, maxCount));
    }
    return most >= (this.#program.min[step] ?? 0);
  }

  /** False when a path that began no later has passed the step at this position. */
  #pass(step: number, start: number): boolean {
    const passed = this.#passed[step] ?? 0;
    if (passed !== 0 && passed <= start + 1) return false;
    if (passed === 0) this.#passedSteps.push(step);
    this.#passed[step] = start + 1;
    return true;
  }

  #arrive(step: number, start: number, fewest: number, most: number): void {
    if (this.#program.consumes[step] === 1) this.#next.add(step, start, fewest, most);
    else this.hasEnded = true;
  }
}

/** The steps at which paths stand before a unit is read. */
class Standing {
  readonly steps: number[] = [];
  /** By step: the place where the earliest path began. */
  readonly start: Int32Array;
  /** Counts stop at the largest one that fits: no counted gap goes that far. */
  readonly fewest: Uint16Array;
  readonly most: Uint16Array;
  readonly #here: Uint8Array;

  constructor(size: number) {
    this.start = new Int32Array(size);
    this.fewest = new Uint16Array(size);
    this.most = new Uint16Array(size);
    this.#here = new Uint8Array(size);
  }

  add(step: number, start: number, fewest: number, most: number): void {
    if (this.#here[step] === 0) {
      this.#here[step] = 1;
      this.steps.push(step);
      this.start[step] = start;
      this.fewest[step] = fewest;
      this.most[step] = most;
      return;
    }
    this.start[step] = Math.min(this.start[step] ?? start, start);
    this.fewest[step] = Math.min(this.fewest[step] ?? fewest, fewest);
    this.most[step] = Math.max(this.most[step] ?? most, most);
  }

  clear(): void {
    for (const step of this.steps) this.#here[step] = 0;
    this.steps.length = 0;
  }
}

const isWord = (unit: number): boolean => unit !== nothing && contains(wordChars, unit);
const isLineEnd = (unit: number): boolean => unit === 0x0a || unit === 0x0d || unit === 0x2028 || unit === 0x2029;

/** Whether an edge holds between two units, the second of which exists. */
function holds(edge: EdgeSyntax['edge'] | undefined, before: number, unit: number): boolean {
  switch (edge) {
    case 'text-start':
      return before === nothing;
    case 'line-start':
      return before === nothing || isLineEnd(before);
    case 'text-end':
      return false;
    case 'line-end':
      return isLineEnd(unit);
    case 'word':
      return isWord(before) !== isWord(unit);
    case 'not-word':
      return isWord(before) === isWord(unit);
    case undefined:
      return true;
  }
}
