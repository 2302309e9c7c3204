import { rootState, type Automaton } from './aho-corasick.ts';
import type { CandidateProgram } from './candidate-program.ts';
import { wordUnits } from './pattern/char-set.ts';
import { PlaceList } from './place-list.ts';

/**
 * Where in a text patterns may match: the automaton reads the text, and what stands where it finds a text is
 * noted, by pattern. Nothing is tried on the way, so that each pattern can be tried at all its places at once.
 */
export class Candidates {
  /** By pattern, made when its first text is found. */
  readonly lists: (PlaceList | undefined)[] = [];
  /** The patterns that have places. */
  readonly touched: number[] = [];
  /** By companion: where its texts end, ascending. */
  readonly seen: (EndList | undefined)[] = [];
  readonly #seenTouched: number[] = [];
  readonly #automaton: Automaton;
  #state = rootState;
  /** All units of the text in one. */
  units = 0;
  /** Bits of `mark` that have been met, and where the first of them and the last one ends. */
  marks = 0;
  firstMark = 0;
  lastMark = 0;

  constructor(automaton: Automaton) {
    this.#automaton = automaton;
  }

  /** Reads the text on from one place to another. */
  read(text: Uint16Array, from: number, to: number, program: CandidateProgram): void {
    const { classes, next, columns, firstOutput } = this.#automaton;
    let { units } = this;
    let state = this.#state;
    for (let at = from; at < to; at += 1) {
      const unit = text[at] as number;
      units |= unit;
      state = next[state * columns + (classes[unit] as number)] as number;
      if (state >= firstOutput) this.#note(text, at + 1, program, program.rows[state - firstOutput] as number);
    }
    this.#state = state;
    this.units = units;
  }

  #note(text: Uint16Array, end: number, { code }: CandidateProgram, row: number): void {
    let at = row;
    const marks = code[at++] as number;
    if (marks !== 0) this.#noteMarks(marks, end);
    for (let left = code[at++] as number; left > 0; left -= 1) this.#see(code[at++] as number, end);
    for (let groups = code[at++] as number; groups > 0; groups -= 1) {
      const place = end - (code[at++] as number);
      const last = at + 1 + (code[at] as number);
      const isWordStart = place === 0 || wordUnits[text[place - 1] as number] === 0;
      if (isWordStart) for (at += 1; at < last; at += 1) this.#listOf(code[at] as number).add(place, place);
      at = last;
    }
    for (let left = code[at++] as number; left > 0; left -= 1) {
      const to = end - (code[at + 1] as number);
      if (to >= 0) this.#listOf(code[at] as number).add(Math.max(0, end - (code[at + 2] as number)), to);
      at += 3;
    }
  }

  #noteMarks(marks: number, end: number): void {
    if (this.marks === 0) this.firstMark = end;
    this.lastMark = end;
    this.marks |= marks;
  }

  #see(companion: number, end: number): void {
    let list = this.seen[companion];
    if (list === undefined) this.seen[companion] = list = new EndList();
    if (list.length === 0) this.#seenTouched.push(companion);
    list.add(end);
  }

  #listOf(pattern: number): PlaceList {
    let list = this.lists[pattern];
    if (list === undefined) this.lists[pattern] = list = new PlaceList();
    if (list.length === 0) this.touched.push(pattern);
    return list;
  }

  /** What has been tried is gone from the lists: forgets what nothing needs that has been read before `readTo`. */
  settle(readTo: number): void {
    const kept = this.touched.filter((pattern) => (this.lists[pattern]?.length ?? 0) > 0);
    this.touched.splice(0, this.touched.length, ...kept);
    const places = kept.map((pattern) => this.lists[pattern]?.from(0) ?? readTo);
    const first = places.reduce((a, b) => Math.min(a, b), readTo);
    for (const companion of this.#seenTouched) this.seen[companion]?.forgetBefore(first);
  }

  /** Leaves the tables as the next text wants to find them. */
  clear(): void {
    for (const pattern of this.touched) this.lists[pattern]?.clear();
    for (const companion of this.#seenTouched) this.seen[companion]?.clear();
    this.touched.length = 0;
    this.#seenTouched.length = 0;
    this.#state = rootState;
    this.units = 0;
    this.marks = 0;
  }
}

/** Places in ascending order. */
class EndList {
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
