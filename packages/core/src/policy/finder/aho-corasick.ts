/**
 * One automaton over many texts: it reads a text once, unit by unit, and knows after each unit every
 * one of its texts that ends there, folded as `anchorUnit` folds. Everything is flat typed arrays, and a state is the
 * number of its row in `next`, so a step is two loads:
 *
 *     state = next[state * columns + classes[unit]];
 *     if (state >= firstOutput) …  // some text ends here
 *
 * The columns of frequent characters stand side by side, so most of a row is never fetched.
 *
 * Immutable and free of state of its own: one serves any number of scans, and a stream between two
 * pieces is one number.
 */
export interface Automaton {
  /** Column of each UTF-16 unit; units of no text share column 0. */
  readonly classes: Uint8Array | Uint16Array;
  readonly next: Uint16Array | Int32Array;
  /** States from here on have outputs. */
  readonly firstOutput: number;
  readonly columns: number;
  /** By state: its longest proper suffix that is a state too. */
  readonly fallback: Int32Array;
  /** States in breadth-first order without the root: a state comes after its fallback. */
  readonly order: Int32Array;
  /** Where the texts that end in a state start in `outputs`, by `state - firstOutput`. */
  readonly outputOffsets: Int32Array;
  /** Indexes of texts. */
  readonly outputs: Int32Array;
  /** The states that a text passes, from its first unit on. */
  readonly paths: readonly Int32Array[];
}

export const rootState = 0;
