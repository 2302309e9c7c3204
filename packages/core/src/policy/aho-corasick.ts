import { anchorUnit, anchorVariants } from './pattern/anchor-fold.ts';

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

/** What ordinary texts are made of. */
const frequent = " etaoinsrhldcumfpgywbvk.,0-'xjqz";

/** Tables beyond this many cells would no longer fit any cache; texts are cut shorter instead. */
const maxCells = 4_000_000;

interface Node {
  readonly children: Map<number, Node>;
  readonly texts: number[];
  fallback: Node | undefined;
  /** Texts that end here, those of the fallbacks included. */
  ending: readonly number[];
  state: number;
}

/**
 * Builds the automaton of `texts`. A text may be cut to fit the table,
 * so `paths` tells how much of it is looked for.
 */
export function buildAutomaton(texts: readonly string[]): Automaton {
  for (const length of [32, 16, 12, 8, 6, 4, 3]) {
    const cut = texts.map((text) => text.slice(0, length));
    const { classes, columns } = classify(cut);
    const maxNodes = length === 3 ? Infinity : maxCells / columns;
    const nodes = buildTrie(cut, classes, maxNodes);
    if (nodes !== undefined) return flatten(nodes, classes, columns, cut);
  }
  throw new Error('unreachable: the shortest length is always taken');
}

/** Gives every unit that occurs in a text a column of its own, shared by its variants; frequent ones come first. */
function classify(texts: readonly string[]) {
  const units = new Set(Array.from(frequent, (char) => anchorUnit(char.charCodeAt(0))));
  for (const text of texts) for (let at = 0; at < text.length; at += 1) units.add(anchorUnit(text.charCodeAt(at)));
  const columnOf = new Map([...units].map((unit, index) => [unit, index + 1]));
  // Rows of an odd length fall into different lines of the cache.
  const columns = (columnOf.size + 1) | 1;
  const classes = columns <= 256 ? new Uint8Array(0x1_0000) : new Uint16Array(0x1_0000);
  for (const [unit, column] of columnOf) for (const variant of anchorVariants(unit)) classes[variant] = column;
  return { classes, columns };
}

const newNode = (): Node => ({
  children: new Map(),
  texts: [],
  fallback: undefined,
  ending: [],
  state: 0,
});

/** All nodes in breadth-first order, the root first, with fallbacks and endings in place. */
function buildTrie(
  texts: readonly string[],
  classes: Automaton['classes'],
  maxNodes: number,
): readonly Node[] | undefined {
  const root = newNode();
  let count = 1;
  for (const [index, text] of texts.entries()) {
    let node = root;
    for (let at = 0; at < text.length; at += 1) {
      const column = classes[text.charCodeAt(at)] ?? 0;
      let child = node.children.get(column);
      if (child === undefined) {
        if (count >= maxNodes) return undefined;
        count += 1;
        child = newNode();
        node.children.set(column, child);
      }
      node = child;
    }
    node.texts.push(index);
  }
  const nodes = [root];
  for (const node of nodes) {
    for (const [column, child] of node.children) {
      let fallback = node.fallback;
      while (fallback !== undefined && !fallback.children.has(column)) fallback = fallback.fallback;
      child.fallback = fallback?.children.get(column) ?? root;
      child.ending = [...child.texts, ...child.fallback.ending];
      nodes.push(child);
    }
  }
  return nodes;
}

function flatten(
  nodes: readonly Node[],
  classes: Automaton['classes'],
  columns: number,
  texts: readonly string[],
): Automaton {
  // States with outputs are numbered last, so that one comparison finds them.
  const silent = nodes.filter(({ ending }) => ending.length === 0);
  const speaking = nodes.filter(({ ending }) => ending.length > 0);
  for (const [row, node] of [...silent, ...speaking].entries()) node.state = row;

  const cells = nodes.length * columns;
  const next = nodes.length <= 0x1_0000 ? new Uint16Array(cells) : new Int32Array(cells);
  const fallback = new Int32Array(nodes.length);
  for (const node of nodes) {
    const from = node.fallback?.state;
    if (from !== undefined) next.copyWithin(node.state * columns, from * columns, (from + 1) * columns);
    for (const [column, child] of node.children) next[node.state * columns + column] = child.state;
    fallback[node.state] = from ?? rootState;
  }
  let outputCount = 0;
  const outputOffsets = Int32Array.from([0, ...speaking.map(({ ending }) => (outputCount += ending.length))]);

  const automaton = {
    classes,
    next,
    firstOutput: silent.length,
    columns,
    fallback,
    order: Int32Array.from(nodes.slice(1), ({ state }) => state),
    outputOffsets,
    outputs: Int32Array.from(speaking.flatMap(({ ending }) => ending)),
  };
  return { ...automaton, paths: texts.map((text) => path(automaton, text)) };
}

function path({ classes, next, columns }: Pick<Automaton, 'classes' | 'next' | 'columns'>, text: string): Int32Array {
  const states = new Int32Array(text.length);
  let state = rootState;
  for (let at = 0; at < text.length; at += 1) {
    state = next[state * columns + (classes[text.charCodeAt(at)] ?? 0)] ?? rootState;
    states[at] = state;
  }
  return states;
}
