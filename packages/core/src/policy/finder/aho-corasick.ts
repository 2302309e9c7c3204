/**
 * One automaton over many texts: it reads a text once, unit by unit, and knows after each unit every
 * one of its texts that ends there, folded as `anchorUnit` folds. Everything is flat typed arrays, and a state is the
 * number of its row in `next`, so a step is two loads:
 *
 *     state = next[(state << rowBits) + columns[unit]];
 *     if (state >= firstOutput) …  // some text ends here
 *
 * The columns of 32 characters make a table of their own, those of the most frequent ones first, and in each the states
 * that ordinary writing comes to stand together: most of what there is, is never fetched.
 *
 * Free of state of its own: one serves any number of scans, and a stream between two pieces is one number.
 */
export interface Automaton {
  /** By UTF-16 unit: where in `next` its column begins; units of no text share one. */
  readonly columns: Int32Array;
  /** The same numbers wherever they stand: they go to where a kernel reads them when there is one. */
  next: Uint16Array;
  /** States from here on have outputs. */
  readonly firstOutput: number;
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

/** A row of a table has so many bits of columns: it fills a line of the cache. */
export const rowBits = 5;
