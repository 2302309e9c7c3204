import type { Automaton } from './aho-corasick.ts';
import { openKernel, type KernelExports, type KernelPlace } from '../kernel/open-kernel.ts';
import { finderModule } from '../kernel/finder.wasm.ts';

/** What `assembly/finder.ts` exports. */
interface Exports extends KernelExports {
  readonly units: KernelPlace;
  readonly columns: KernelPlace;
  readonly places: KernelPlace;
  readonly numbers: KernelPlace;
  readonly states: KernelPlace;
  readonly totals: KernelPlace;
  readonly next: KernelPlace;
  find(length: number, from: number, state: number, depth: number, firstOutput: number): number;
}

/** How many units a kernel reads at once: the least has room for its eight stretches, for any longest text. */
export const fewestUnits = 320;
export const mostUnits = 65_536;

/** By automaton: all scans share one, since they never interleave. */
const known = new WeakMap<Automaton, FinderKernel>();

/** The automaton as WebAssembly runs it, made for the first text that is long enough. */
export function kernelOf(automaton: Automaton): FinderKernel {
  let kernel = known.get(automaton);
  if (kernel === undefined) known.set(automaton, (kernel = new FinderKernel(automaton)));
  return kernel;
}

/** A text is read by `assembly/finder.ts`, whose words these are; what it has found holds until the next one. */
export class FinderKernel {
  readonly places: Int32Array;
  readonly numbers: Uint16Array;
  readonly states: Uint16Array;
  readonly #totals: Int32Array;
  readonly #units: Uint16Array;
  readonly #find: Exports['find'];
  readonly #depth: number;
  readonly #firstOutput: number;

  constructor(automaton: Automaton) {
    const kernel = openKernel(finderModule) as Exports;
    const { memory, units, columns, places, numbers, states, totals, next } = kernel;
    const missing = next.value + automaton.next.byteLength - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / 0x1_0000));
    const { buffer } = memory;
    this.#units = new Uint16Array(buffer, units.value, mostUnits);
    this.places = new Int32Array(buffer, places.value, mostUnits);
    this.numbers = new Uint16Array(buffer, numbers.value, mostUnits);
    this.states = new Uint16Array(buffer, states.value, mostUnits);
    this.#totals = new Int32Array(buffer, totals.value, 2);
    this.#find = kernel.find;
    this.#depth = automaton.paths.reduce((deepest, { length }) => Math.max(deepest, length), 0);
    this.#firstOutput = automaton.firstOutput;
    const bytes = new Int32Array(buffer, columns.value, automaton.columns.length);
    bytes.set(automaton.columns.map((column) => 2 * column));
    const table = new Uint16Array(buffer, next.value, automaton.next.length);
    table.set(automaton.next);
    automaton.next = table;
  }

  /** Units that texts of the automaton end behind, of a piece that begins in a state; answers how many there are. */
  find(text: Uint16Array, from: number, to: number, state: number, base: number): number {
    this.#units.set(text.subarray(from - base, to - base));
    return this.#find(to - from, from, state, this.#depth, this.#firstOutput);
  }

  /** How many different states with outputs were met. */
  get met(): number {
    return this.#totals[0] as number;
  }

  /** The state at the end. */
  get state(): number {
    return this.#totals[1] as number;
  }
}
