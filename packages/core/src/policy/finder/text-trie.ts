/** Texts as a tree. Nodes are numbers in breadth-first order; the root is 0. */
export interface TextTrie {
  readonly size: number;
  /** By node and column: the child, 0 where there is none. */
  readonly next: Uint16Array | Int32Array;
  readonly parents: Int32Array;
  /** By node: the column under which its parent has it. */
  readonly columnOf: Uint16Array;
  /** The nodes that a text passes, from its first unit on; fewer than it has units where it was cut. */
  readonly paths: readonly Int32Array[];
}

/** Where texts are cut so that the tree fits its table. */
export interface TrieLimits {
  /** Lengths to choose from, descending: the longest that fits is taken, and the last one whether or not it does. */
  readonly lengths: readonly number[];
  readonly maxNodes: number;
}

/** So many texts are taken a level further at once. */
const textsAtOnce = 4_096;

/** Builds the tree in steps of well below a millisecond, level by level, in arrays: thousands of texts take a few of them. */
export function* buildTrie(
  texts: readonly string[],
  classes: Uint8Array | Uint16Array,
  columns: number,
  limits: TrieLimits,
): Generator<undefined, TextTrie> {
  const builder = new TrieBuilder(texts, columns, limits);
  while (!builder.isComplete) {
    for (let from = 0; from < texts.length; from += textsAtOnce) {
      builder.addUnits(classes, from, Math.min(from + textsAtOnce, texts.length));
      yield;
    }
    builder.endLevel();
  }
  return builder.finish();
}

class TrieBuilder {
  readonly #texts: readonly string[];
  readonly #columns: number;
  readonly #limits: TrieLimits;
  readonly #longest: number;
  readonly #shortest: number;
  readonly #next: TextTrie['next'];
  readonly #parents: Int32Array;
  readonly #columnOf: Uint16Array;
  /** By text and depth: the node that it passes there. */
  readonly #passed: Int32Array;
  #size = 1;
  /** By depth: how many nodes are no deeper. */
  readonly #sizes = [1];

  constructor(texts: readonly string[], columns: number, limits: TrieLimits) {
    this.#texts = texts;
    this.#columns = columns;
    this.#limits = limits;
    this.#longest = texts.reduce((longest, { length }) => Math.max(longest, length), 0);
    this.#longest = Math.min(this.#longest, limits.lengths[0] ?? 0);
    this.#shortest = Math.min(this.#longest, limits.lengths.at(-1) ?? 0);
    const capacity = 1 + Math.min(this.#units(this.#longest), Math.max(limits.maxNodes, this.#units(this.#shortest)));
    this.#next = capacity <= 0x1_0000 ? new Uint16Array(capacity * columns) : new Int32Array(capacity * columns);
    this.#parents = new Int32Array(capacity);
    this.#columnOf = new Uint16Array(capacity);
    this.#passed = new Int32Array(texts.length * this.#longest);
  }

  /** All units are in, or more of them than fit. */
  get isComplete(): boolean {
    const depth = this.#sizes.length - 1;
    return depth >= this.#longest || (depth >= this.#shortest && this.#size > this.#limits.maxNodes);
  }

  /** Adds what some texts have at the depth at hand. */
  addUnits(classes: Uint8Array | Uint16Array, from: number, to: number): void {
    const next = this.#next;
    const depth = this.#sizes.length - 1;
    for (let index = from; index < to && this.#size < this.#parents.length; index += 1) {
      const text = this.#texts[index] as string;
      if (depth >= text.length) continue;
      const at = index * this.#longest + depth;
      const node = depth === 0 ? 0 : (this.#passed[at - 1] as number);
      const column = classes[text.charCodeAt(depth)] as number;
      const cell = node * this.#columns + column;
      if (next[cell] === 0) next[cell] = this.#addNode(node, column);
      this.#passed[at] = next[cell] as number;
    }
  }

  endLevel(): void {
    this.#sizes.push(this.#size);
  }

  finish(): TextTrie {
    const { lengths, maxNodes } = this.#limits;
    const deepest = this.#sizes.length - 1;
    const sizeAt = (length: number): number => this.#sizes[Math.min(length, deepest)] ?? 1;
    const cut = Math.min(deepest, lengths.find((length) => sizeAt(length) <= maxNodes) ?? this.#shortest);
    const size = sizeAt(cut);
    // What was cut off hangs on the last level that is left.
    if (cut < deepest) this.#next.fill(0, sizeAt(cut - 1) * this.#columns, size * this.#columns);
    const paths = this.#texts.map(({ length }, index) =>
      this.#passed.subarray(index * this.#longest, index * this.#longest + Math.min(length, cut)),
    );
    return { size, next: this.#next, parents: this.#parents, columnOf: this.#columnOf, paths };
  }

  #addNode(parent: number, column: number): number {
    const node = this.#size;
    this.#size += 1;
    this.#parents[node] = parent;
    this.#columnOf[node] = column;
    return node;
  }

  /** How many units texts of at most some length come to. */
  #units(length: number): number {
    return this.#texts.reduce((sum, text) => sum + Math.min(text.length, length), 0);
  }
}
