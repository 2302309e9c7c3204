import { rootState, rowBits, type Automaton } from './aho-corasick.ts';
import { anchorUnit, anchorVariants } from '../pattern/anchor-fold.ts';
import { vocabulary } from '../views/vocabulary.ts';
import { buildTrie, type TextTrie } from './text-trie.ts';

/** What ordinary texts are made of. */
const frequent = " etaoinsrhldcumfpgywbvk.,0-'xjqz";

/** Tables beyond this many cells would no longer fit any cache, and states are two bytes; texts are cut shorter instead. */
const maxCells = 4_000_000;
const maxStates = 0x1_0000;
const lengths = [32, 16, 12, 8, 6, 4, 3, 2, 1];

const rowLength = 1 << rowBits;

/** What people write, for all that matters here. */
const ordinary = ` ${[...vocabulary].slice(0, 1_000).join(' ')} `;

/** So many rows are worked out at once. */
const rowsAtOnce = 1_024;

/** Automata that are in use somewhere, latest first, by their texts. */
let known: { readonly texts: readonly string[]; readonly automaton: WeakRef<Automaton> }[] = [];
const maxKnown = 8;

/** The automaton of `texts`: policies that differ in what is done about a match look for the same texts, and share it. */
export function* shareAutomaton(texts: readonly string[]): Generator<undefined, Automaton> {
  const isSame = (others: readonly string[]): boolean =>
    others.length === texts.length && others.every((text, index) => text === texts[index]);
  const same = known.find((entry) => isSame(entry.texts))?.automaton.deref();
  const automaton = same ?? (yield* buildAutomaton(texts));
  const others = known.filter((entry) => entry.automaton.deref() !== undefined && !isSame(entry.texts));
  known = [{ texts, automaton: new WeakRef(automaton) }, ...others].slice(0, maxKnown);
  return automaton;
}

/**
 * Builds the automaton of `texts` in steps, none of which takes more than a millisecond or two. A text may be cut to
 * fit the table, so `paths` tells how much of it is looked for.
 */
export function* buildAutomaton(texts: readonly string[]): Generator<undefined, Automaton> {
  const { classes, columns } = classify(texts);
  yield;
  const maxNodes = Math.min(maxStates, Math.floor(maxCells / columns));
  const trie = yield* buildTrie(texts, classes, columns, { lengths, maxNodes });
  const fallbacks = yield* fillRows(trie, columns);
  yield;
  const order = orderNodes(trie, columns, classes);
  const { firstOutput, states, outputOffsets, outputs } = layOutStates(trie, fallbacks, order);
  yield;
  const next = yield* writeTable(trie, columns, states);
  yield;
  const fallback = new Int32Array(trie.size);
  for (let node = 1; node < trie.size; node += 1) fallback[at(states, node)] = at(states, at(fallbacks, node));
  for (const path of trie.paths)
    for (let unit = 0; unit < path.length; unit += 1) path[unit] = at(states, at(path, unit));
  return {
    columns: columnsOf(classes, trie.size),
    next,
    firstOutput,
    fallback,
    order: states.subarray(1),
    outputOffsets,
    outputs,
    paths: trie.paths,
  };
}

/** Where in the table a state has a column. */
const cellOf = (state: number, column: number, states: number): number =>
  (((column >> rowBits) * states + state) << rowBits) + (column & (rowLength - 1));

function columnsOf(classes: Uint8Array | Uint16Array, states: number): Int32Array {
  const columns = new Int32Array(classes.length);
  for (let unit = 0; unit < classes.length; unit += 1)
    columns[unit] = cellOf(rootState, classes[unit] as number, states);
  return columns;
}

const at = (list: Int32Array, index: number): number => list[index] as number;

/** Gives every unit that occurs in a text a column of its own, shared by its variants; frequent ones come first. */
function classify(texts: readonly string[]) {
  const units = new Set(Array.from(frequent, (char) => anchorUnit(char.charCodeAt(0))));
  const known = new Uint8Array(0x1_0000);
  for (const text of texts) {
    for (let index = 0; index < text.length && index < (lengths[0] ?? 0); index += 1) {
      const unit = text.charCodeAt(index);
      if (known[unit] === 0) units.add(anchorUnit(unit));
      known[unit] = 1;
    }
  }
  const columnOf = new Map([...units].map((unit, index) => [unit, index + 1]));
  const columns = Math.ceil((columnOf.size + 1) / rowLength) * rowLength;
  const classes = columns <= 256 ? new Uint8Array(0x1_0000) : new Uint16Array(0x1_0000);
  for (const [unit, column] of columnOf) for (const variant of anchorVariants(unit)) classes[variant] = column;
  return { classes, columns };
}

/**
 * Writes into the rows of the tree where to go on where a node has no child: as from its longest proper suffix that is
 * a node too, which stands less deep, so that its row is complete. Answers those suffixes.
 */
function* fillRows({ size, next, parents, columnOf }: TextTrie, columns: number): Generator<undefined, Int32Array> {
  const fallbacks = new Int32Array(size);
  for (let node = 1; node < size; node += 1) {
    const parent = at(parents, node);
    const fallback = parent === 0 ? 0 : (next[at(fallbacks, parent) * columns + (columnOf[node] as number)] as number);
    fallbacks[node] = fallback;
    const [row, from] = [node * columns, fallback * columns];
    for (let column = 0; column < columns; column += 1) {
      if (next[row + column] === 0) next[row + column] = next[from + column] as number;
    }
    if (node % rowsAtOnce === 0) yield;
  }
  return fallbacks;
}

/** All nodes but the root, those first that ordinary writing comes to, the most frequent ones at the head. */
function orderNodes({ size, next }: TextTrie, columns: number, classes: Uint8Array | Uint16Array): Int32Array {
  const visits = new Int32Array(size);
  const visited: number[] = [];
  let node = rootState;
  for (let index = 0; index < ordinary.length; index += 1) {
    node = next[node * columns + (classes[ordinary.charCodeAt(index)] as number)] as number;
    if (visits[node] === 0 && node !== rootState) visited.push(node);
    visits[node] = at(visits, node) + 1;
  }
  const order = new Int32Array(size - 1);
  order.set(visited.sort((a, b) => at(visits, b) - at(visits, a)));
  let count = visited.length;
  for (let other = 1; other < size; other += 1) if (at(visits, other) === 0) order[count++] = other;
  return order;
}

/** Numbers the states and lists their outputs. States with outputs come last, so that one comparison finds them. */
function layOutStates({ size, paths }: TextTrie, fallbacks: Int32Array, order: Int32Array) {
  // The texts of a node as a chain, in their order.
  const firstText = new Int32Array(size).fill(-1);
  const nextText = new Int32Array(paths.length).fill(-1);
  const counts = new Int32Array(size);
  for (let text = paths.length - 1; text >= 0; text -= 1) {
    const node = paths[text]?.at(-1) ?? 0;
    nextText[text] = at(firstText, node);
    firstText[node] = text;
    counts[node] = at(counts, node) + 1;
  }
  for (let node = 1; node < size; node += 1) counts[node] = at(counts, node) + at(counts, at(fallbacks, node));
  const firstOutput = counts.reduce((silent, count) => (count === 0 ? silent + 1 : silent), 0);
  const states = new Int32Array(size);
  const outputOffsets = new Int32Array(size - firstOutput + 1);
  const outputs = new Int32Array(counts.reduce((sum, count) => sum + count, 0));
  let silent = rootState + 1;
  for (const node of order) if (at(counts, node) === 0) states[node] = silent++;
  let row = 0;
  for (let node = 1; node < size; node += 1) {
    if (at(counts, node) === 0) continue;
    states[node] = firstOutput + row;
    let end = at(outputOffsets, row);
    for (let text = at(firstText, node); text >= 0; text = at(nextText, text)) outputs[end++] = text;
    const suffix = at(states, at(fallbacks, node)) - firstOutput;
    if (suffix >= 0) {
      for (let from = at(outputOffsets, suffix); from < at(outputOffsets, suffix + 1); from += 1)
        outputs[end++] = at(outputs, from);
    }
    outputOffsets[row + 1] = end;
    row += 1;
  }
  return { firstOutput, states, outputOffsets, outputs };
}

/** The rows of all nodes, by the numbers of their states. */
function* writeTable(
  { size, next }: TextTrie,
  columns: number,
  states: Int32Array,
): Generator<undefined, Automaton['next']> {
  const table = new Uint16Array(size * columns);
  for (let node = 0; node < size; node += 1) {
    const from = node * columns;
    for (let first = 0; first < columns; first += rowLength) {
      const row = cellOf(at(states, node), first, size);
      for (let column = 0; column < rowLength; column += 1)
        table[row + column] = at(states, next[from + first + column] as number);
    }
    if (node % rowsAtOnce === 0) yield;
  }
  return table;
}
