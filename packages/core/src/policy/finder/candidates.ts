import type { Automaton } from './aho-corasick.ts';
import type { CandidateProgram } from './candidate-program.ts';
import { wordUnits } from '../pattern/char-set.ts';
import { PlaceList } from './place-list.ts';
import { TextFinder } from './text-finder.ts';

const met = 1;
const asked = 2;

/**
 * Where in a text patterns may match. The automaton reads the text and writes down where it has found one of its
 * texts; what that means is worked out behind it, by pattern. Nothing is tried on the way, so that each pattern can
 * be tried at all its places at once.
 */
export class Candidates {
  /** By pattern, made when its first place is found. */
  readonly lists: (PlaceList | undefined)[] = [];
  /** The patterns that have places, ascending. */
  readonly touched: number[] = [];
  /** The same while places are noted: a bit for each. */
  readonly #touchedBits: Int32Array;
  /** By companion: where its texts end, ascending; only of those that a pattern with places asks for. */
  readonly seen: (EndList | undefined)[] = [];
  readonly #seenTouched: EndList[] = [];
  readonly #finder: TextFinder;
  /** Which of the places that were found are those of companions. */
  #accompanying: Int32Array = new Int32Array(256);
  #accompanyingCount = 0;
  /** By companion: 1 when one of its texts was found, 2 when a pattern asks where. */
  readonly #companions: Uint8Array;
  /** Bits of `mark` that have been met, and where the first of them and the last one ends. */
  marks = 0;
  firstMark = 0;
  lastMark = 0;

  constructor(automaton: Automaton, patterns: number, companions: number) {
    this.#finder = new TextFinder(automaton);
    this.#touchedBits = new Int32Array((patterns >> 5) + 1);
    this.#companions = new Uint8Array(companions);
  }

  /** Bits of `sign`, of all units of the text in one. */
  get signs(): number {
    return this.#finder.signs;
  }

  /** Reads the text on from one place to another; `isWhole` when that is all of it. */
  read(text: Uint16Array, from: number, to: number, program: CandidateProgram, isWhole: boolean): void {
    this.#finder.find(text, from, to);
    this.#noteCompanions(program);
    if (!isWhole) this.#companions.fill(asked);
    this.#notePlaces(text, program);
    this.#listTouched();
    this.#noteEnds(program);
  }

  /** Patterns whose companion is nowhere in the text have no places in it. */
  #noteCompanions({ rows, code, accompanies }: CandidateProgram): void {
    const { states, count } = this.#finder;
    if (this.#accompanying.length < count) this.#accompanying = new Int32Array(2 * count);
    this.#accompanyingCount = 0;
    for (let hit = 0; hit < count; hit += 1) {
      const state = states[hit] as number;
      if (accompanies[state] === 0) continue;
      this.#accompanying[this.#accompanyingCount] = hit;
      this.#accompanyingCount += 1;
      const row = rows[state] as number;
      const last = row + 1 + (code[row + 1] as number);
      for (let at = row + 2; at <= last; at += 1) this.#companions[code[at] as number] = met;
    }
  }

  #notePlaces(text: Uint16Array, { rows, code, companionOf }: CandidateProgram): void {
    const { states, places, count } = this.#finder;
    for (let hit = 0; hit < count; hit += 1) {
      const row = rows[states[hit] as number] as number;
      const end = places[hit] as number;
      const marks = code[row] as number;
      if (marks !== 0) this.#noteMarks(marks, end);
      let at = row + 2 + (code[row + 1] as number);
      for (let groups = code[at++] as number; groups > 0; groups -= 1) {
        const place = end - (code[at++] as number);
        const last = at + 1 + (code[at] as number);
        const isWordStart = place === 0 || wordUnits[text[place - 1] as number] === 0;
        if (isWordStart) for (at += 1; at < last; at += 1) this.#add(code[at] as number, companionOf, place, place);
        at = last;
      }
      for (let left = code[at++] as number; left > 0; left -= 1) {
        const to = end - (code[at + 1] as number);
        if (to >= 0) this.#add(code[at] as number, companionOf, Math.max(0, end - (code[at + 2] as number)), to);
        at += 3;
      }
    }
  }

  #add(pattern: number, companionOf: Int32Array, from: number, to: number): void {
    const companion = companionOf[pattern] as number;
    if (companion >= 0) {
      if (this.#companions[companion] === 0) return;
      this.#companions[companion] = asked;
    }
    let list = this.lists[pattern];
    if (list === undefined) this.lists[pattern] = list = new PlaceList();
    const bits = this.#touchedBits[pattern >> 5] as number;
    this.#touchedBits[pattern >> 5] = bits | (1 << (pattern & 31));
    list.add(from, to);
  }

  #listTouched(): void {
    this.touched.length = 0;
    for (let word = 0; word < this.#touchedBits.length; word += 1) {
      let bits = this.#touchedBits[word] as number;
      for (; bits !== 0; bits &= bits - 1) this.touched.push(32 * word + 31 - Math.clz32(bits & -bits));
    }
  }

  #noteMarks(marks: number, end: number): void {
    if (this.marks === 0) this.firstMark = end;
    this.lastMark = end;
    this.marks |= marks;
  }

  #noteEnds({ rows, code }: CandidateProgram): void {
    const { states, places } = this.#finder;
    for (let index = 0; index < this.#accompanyingCount; index += 1) {
      const hit = this.#accompanying[index] as number;
      const row = rows[states[hit] as number] as number;
      const last = row + 1 + (code[row + 1] as number);
      for (let at = row + 2; at <= last; at += 1) {
        const companion = code[at] as number;
        if (this.#companions[companion] !== asked) continue;
        const list = (this.seen[companion] ??= new EndList());
        if (list.length === 0) this.#seenTouched.push(list);
        list.add(places[hit] as number);
      }
    }
  }

  /** What has been tried is gone from the lists: forgets what nothing needs that has been read before `readTo`. */
  settle(readTo: number): void {
    const kept = this.touched.filter((pattern) => (this.lists[pattern]?.length ?? 0) > 0);
    this.#touchedBits.fill(0);
    for (const pattern of kept)
      this.#touchedBits[pattern >> 5] = (this.#touchedBits[pattern >> 5] as number) | (1 << (pattern & 31));
    const places = kept.map((pattern) => this.lists[pattern]?.from(0) ?? readTo);
    const first = places.reduce((a, b) => Math.min(a, b), readTo);
    for (const list of this.#seenTouched) list.forgetBefore(first);
  }

  /** Leaves the tables as the next text wants to find them. */
  clear(): void {
    for (const pattern of this.touched) this.lists[pattern]?.clear();
    for (const list of this.#seenTouched) list.clear();
    this.touched.length = 0;
    this.#touchedBits.fill(0);
    this.#seenTouched.length = 0;
    this.#companions.fill(0);
    this.#finder.clear();
    this.marks = 0;
  }
}

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
