import { rootState, rowBits, type Automaton } from './aho-corasick.ts';
import { unitSigns } from '../views/unit-signs.ts';

/** Shorter pieces are read from one end to the other. */
const fewestInQuarters = 256;

/**
 * Runs an automaton over a text and writes down where it has found something. Each step has to wait for memory to tell
 * the next state, and nobody can foresee which states have outputs. So a text is read in four places at once, a quarter
 * ahead of each other, and every state is written down, and the next one over it unless it has outputs.
 */
export class TextFinder {
  /** States with outputs, less the first such state, in the order in which they were met. */
  states: Int32Array = new Int32Array(1_024);
  /** For each the place behind the text. */
  places: Int32Array = new Int32Array(1_024);
  count = 0;
  /** Bits of `sign`, of all units of the text in one. */
  signs = 0;
  readonly #automaton: Automaton;
  /** From so many units on it is all the same what stood before. */
  readonly #depth: number;
  #state = rootState;

  constructor(automaton: Automaton) {
    this.#automaton = automaton;
    this.#depth = automaton.paths.reduce((deepest, { length }) => Math.max(deepest, length), 0);
  }

  /** Reads the text on from one place to another, and forgets what was found before. */
  find(text: Uint16Array, from: number, to: number): void {
    if (to - from >= this.states.length) this.#makeRoom(to - from);
    this.count = 0;
    const quarter = to - from < fewestInQuarters ? 0 : (to - from) >> 2;
    if (quarter > 0) this.#readQuarters(text, from, quarter);
    this.#readOn(text, from + 4 * quarter, to);
  }

  /** The next text is another. */
  clear(): void {
    this.#state = rootState;
    this.signs = 0;
  }

  #readOn(text: Uint16Array, from: number, to: number): void {
    const { next, columns, firstOutput } = this.#automaton;
    const signOf = unitSigns();
    for (let at = from; at < to; at += 1) {
      const unit = text[at] as number;
      this.signs |= signOf[unit] as number;
      this.#state = next[(this.#state << rowBits) + (columns[unit] as number)] as number;
      if (this.#state < firstOutput) continue;
      this.states[this.count] = this.#state - firstOutput;
      this.places[this.count] = at + 1;
      this.count += 1;
    }
  }

  #readQuarters(text: Uint16Array, from: number, quarter: number): void {
    const { next, columns, firstOutput } = this.#automaton;
    const { states, places } = this;
    const signOf = unitSigns();
    const silent = firstOutput - 1;
    const [second, third, fourth] = [from + quarter, from + 2 * quarter, from + 3 * quarter];
    let { signs } = this;
    let [a, b, c, d] = [this.#state, this.#at(text, second), this.#at(text, third), this.#at(text, fourth)];
    // Where the next state of each quarter is written: what they have found stands a quarter apart.
    let [toA, toB, toC, toD] = [0, quarter, 2 * quarter, 3 * quarter];
    for (let at = from; at < second; at += 1) {
      const unitA = text[at] as number;
      const unitB = text[at + quarter] as number;
      const unitC = text[at + 2 * quarter] as number;
      const unitD = text[at + 3 * quarter] as number;
      signs |=
        (signOf[unitA] as number) | (signOf[unitB] as number) | (signOf[unitC] as number) | (signOf[unitD] as number);
      a = next[(a << rowBits) + (columns[unitA] as number)] as number;
      b = next[(b << rowBits) + (columns[unitB] as number)] as number;
      c = next[(c << rowBits) + (columns[unitC] as number)] as number;
      d = next[(d << rowBits) + (columns[unitD] as number)] as number;
      states[toA] = a - firstOutput;
      states[toB] = b - firstOutput;
      states[toC] = c - firstOutput;
      states[toD] = d - firstOutput;
      places[toA] = at + 1;
      places[toB] = at + quarter + 1;
      places[toC] = at + 2 * quarter + 1;
      places[toD] = at + 3 * quarter + 1;
      toA += (silent - a) >>> 31;
      toB += (silent - b) >>> 31;
      toC += (silent - c) >>> 31;
      toD += (silent - d) >>> 31;
    }
    this.signs = signs;
    this.#state = d;
    this.count = toA;
    this.#append(quarter, toB);
    this.#append(2 * quarter, toC);
    this.#append(3 * quarter, toD);
  }

  /** The state at a place, without reading all that stands before it. */
  #at(text: Uint16Array, place: number): number {
    const { next, columns } = this.#automaton;
    let state = rootState;
    for (let at = Math.max(0, place - this.#depth); at < place; at += 1)
      state = next[(state << rowBits) + (columns[text[at] as number] as number)] as number;
    return state;
  }

  #append(from: number, to: number): void {
    this.states.copyWithin(this.count, from, to);
    this.places.copyWithin(this.count, from, to);
    this.count += to - from;
  }

  #makeRoom(units: number): void {
    this.states = new Int32Array(2 * units);
    this.places = new Int32Array(2 * units);
  }
}
