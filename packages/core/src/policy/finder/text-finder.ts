import { rootState, rowBits, type Automaton } from './aho-corasick.ts';
import { unitSigns } from '../views/unit-signs.ts';

/** Shorter pieces are read from one end to the other. */
const fewestInQuarters = 256;

/** Tables with more cells leave no bits for signs; no set of policies that anybody has has one. */
const mostCells = 1 << 24;
const cellBits = mostCells - 1;

/** By automaton: its columns, and above them the signs of the unit. */
const signed = new WeakMap<Automaton, Int32Array>();

/**
 * Runs an automaton over a text and writes down where it has found something. Each step has to wait for memory to tell
 * the next state, and nobody can foresee which states have outputs. So a text is read in four places at once, a quarter
 * ahead of each other, and all states are written down; then every place is, and the next one over it unless its state
 * has outputs.
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
  readonly #signedColumns: Int32Array;
  /** By place that was read in quarters: the state behind it. */
  #trace: Automaton['next'];
  /** From so many units on it is all the same what stood before. */
  readonly #depth: number;
  #state = rootState;

  constructor(automaton: Automaton) {
    this.#automaton = automaton;
    this.#signedColumns = signedColumnsOf(automaton);
    this.#trace = traceFor(automaton, this.states.length);
    this.#depth = automaton.paths.reduce((deepest, { length }) => Math.max(deepest, length), 0);
  }

  /** Reads the text on from one place to another, and forgets what was found before. */
  find(text: Uint16Array, from: number, to: number): void {
    if (to - from >= this.states.length) this.#makeRoom(to - from);
    this.count = 0;
    const isShort = to - from < fewestInQuarters || this.#automaton.next.length > mostCells;
    const quarter = isShort ? 0 : (to - from) >> 2;
    if (quarter > 0) {
      this.#readQuarters(text, from, quarter);
      this.#listFound(from, 4 * quarter);
    }
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
    const { next } = this.#automaton;
    const columns = this.#signedColumns;
    const trace = this.#trace;
    const [second, third, fourth] = [from + quarter, from + 2 * quarter, from + 3 * quarter];
    let signs = 0;
    let [a, b, c, d] = [this.#state, this.#at(text, second), this.#at(text, third), this.#at(text, fourth)];
    for (let at = from; at < second; at += 1) {
      const columnA = columns[text[at] as number] as number;
      const columnB = columns[text[at + quarter] as number] as number;
      const columnC = columns[text[at + 2 * quarter] as number] as number;
      const columnD = columns[text[at + 3 * quarter] as number] as number;
      signs |= columnA | columnB | columnC | columnD;
      a = next[(a << rowBits) + (columnA & cellBits)] as number;
      b = next[(b << rowBits) + (columnB & cellBits)] as number;
      c = next[(c << rowBits) + (columnC & cellBits)] as number;
      d = next[(d << rowBits) + (columnD & cellBits)] as number;
      const to = at - from;
      trace[to] = a;
      trace[to + quarter] = b;
      trace[to + 2 * quarter] = c;
      trace[to + 3 * quarter] = d;
    }
    this.signs |= signs >>> 24;
    this.#state = d;
  }

  #listFound(from: number, length: number): void {
    const { firstOutput } = this.#automaton;
    const { states, places } = this;
    const trace = this.#trace;
    const silent = firstOutput - 1;
    let count = 0;
    for (let at = 0; at < length; at += 1) {
      places[count] = at;
      count += (silent - (trace[at] as number)) >>> 31;
    }
    for (let hit = 0; hit < count; hit += 1) {
      const at = places[hit] as number;
      states[hit] = (trace[at] as number) - firstOutput;
      places[hit] = from + at + 1;
    }
    this.count = count;
  }

  /** The state at a place, without reading all that stands before it. */
  #at(text: Uint16Array, place: number): number {
    const { next, columns } = this.#automaton;
    let state = rootState;
    for (let at = Math.max(0, place - this.#depth); at < place; at += 1)
      state = next[(state << rowBits) + (columns[text[at] as number] as number)] as number;
    return state;
  }

  #makeRoom(units: number): void {
    this.states = new Int32Array(2 * units);
    this.places = new Int32Array(2 * units);
    this.#trace = traceFor(this.#automaton, 2 * units);
  }
}

const traceFor = ({ next }: Automaton, length: number): Automaton['next'] =>
  next instanceof Uint16Array ? new Uint16Array(length) : new Int32Array(length);

function signedColumnsOf(automaton: Automaton): Int32Array {
  let columns = signed.get(automaton);
  if (columns === undefined) {
    const signs = unitSigns();
    columns = automaton.columns.map((column, unit) => column | ((signs[unit] as number) << 24));
    signed.set(automaton, columns);
  }
  return columns;
}
