import { rootState, rowBits, type Automaton } from './aho-corasick.ts';
import { fewestUnits, kernelOf } from './finder-kernel.ts';

/** Runs an automaton over a text and writes down where it has found something. */
export class TextFinder {
  /** States with outputs that were met, each once, less the first such state: an ordinary text comes to the same few again and again. */
  states: Uint16Array;
  met = 0;
  /** What was found, in the order of the text: the number of the state, from 1 on, and the place behind the text. */
  numbers: Uint16Array;
  places: Int32Array;
  count = 0;
  readonly #automaton: Automaton;
  /** By state with outputs, less the first: its number, 0 before it is met. */
  readonly #numberOf: Uint16Array;
  /** What is read without a kernel is written down here. */
  #own = {
    states: new Uint16Array(fewestUnits),
    numbers: new Uint16Array(fewestUnits),
    places: new Int32Array(fewestUnits),
  };
  #state = rootState;

  constructor(automaton: Automaton) {
    this.#automaton = automaton;
    this.#numberOf = new Uint16Array(automaton.outputOffsets.length);
    ({ states: this.states, numbers: this.numbers, places: this.places } = this.#own);
  }

  /**
   * Reads the text on from one place to another, up to `mostUnits` of it, and forgets what was found before.
   * @param base where in the text its units begin
   */
  find(units: Uint16Array, from: number, to: number, base = 0): void {
    if (to - from < fewestUnits) {
      this.#readOn(units, from, to, base);
      return;
    }
    const kernel = kernelOf(this.#automaton);
    this.count = kernel.find(units, from, to, this.#state, base);
    this.met = kernel.met;
    this.#state = kernel.state;
    this.states = kernel.states;
    this.numbers = kernel.numbers;
    this.places = kernel.places;
  }

  /** The next text is another. */
  clear(): void {
    this.#state = rootState;
  }

  #readOn(units: Uint16Array, from: number, to: number, base: number): void {
    if (to - from > this.#own.places.length) this.#makeRoom(to - from);
    ({ states: this.states, numbers: this.numbers, places: this.places } = this.#own);
    this.count = 0;
    this.met = 0;
    const { next, columns, firstOutput } = this.#automaton;
    for (let at = from; at < to; at += 1) {
      this.#state = next[(this.#state << rowBits) + (columns[units[at - base] as number] as number)] as number;
      if (this.#state < firstOutput) continue;
      this.numbers[this.count] = this.#number(this.#state - firstOutput);
      this.places[this.count] = at + 1;
      this.count += 1;
    }
    for (let index = 0; index < this.met; index += 1) this.#numberOf[this.states[index] as number] = 0;
  }

  #number(state: number): number {
    const known = this.#numberOf[state] as number;
    if (known !== 0) return known;
    this.states[this.met] = state;
    this.met += 1;
    this.#numberOf[state] = this.met;
    return this.met;
  }

  #makeRoom(units: number): void {
    this.#own = { states: new Uint16Array(units), numbers: new Uint16Array(units), places: new Int32Array(units) };
  }
}
