/** Entries that differ are found, and others shared, by the identity of their values. */
type Leaf<Key, Value> = ReadonlyMap<Key, Value>;
type Branch<Key, Value> = readonly Node<Key, Value>[];
type Node<Key, Value> = Leaf<Key, Value> | Branch<Key, Value>;

const bitsPerLevel = 5;
const branches = 1 << bitsPerLevel;
/** From here on there is nothing of the hash left to tell keys apart by. */
const maxShift = 30;
const maxLeafSize = 32;

/** A new value of a key; undefined takes the key away. */
export type Change<Key, Value> = readonly [key: Key, value: Value | undefined];

/**
 * An immutable map whose changed copy shares nearly all of it: a change costs the same in a map of a
 * hundred thousand entries as in one of a hundred, and a holder of the map before it keeps that.
 */
export class PersistentMap<Key extends string | number, Value> {
  readonly #root: Node<Key, Value>;
  readonly size: number;

  private constructor(root: Node<Key, Value>, size: number) {
    this.#root = root;
    this.size = size;
  }

  static empty<Key extends string | number, Value>(): PersistentMap<Key, Value> {
    return new PersistentMap<Key, Value>(new Map(), 0);
  }

  get(key: Key): Value | undefined {
    let node = this.#root;
    for (let hash = hashOf(key); isBranch(node); hash >>>= bitsPerLevel) node = childOf(node, hash);
    return node.get(key);
  }

  has(key: Key): boolean {
    return this.get(key) !== undefined;
  }

  /** This map with some changes, of which the last of each key counts; itself when they change nothing. */
  with(changes: Iterable<Change<Key, Value>>): PersistentMap<Key, Value> {
    let root = this.#root;
    let { size } = this;
    for (const [key, value] of changes) {
      const before = root;
      root = value === undefined ? without(root, key, hashOf(key)) : withEntry(root, key, value, 0);
      if (root !== before) size += (value === undefined ? 0 : 1) - (has(before, key) ? 1 : 0);
    }
    return root === this.#root ? this : new PersistentMap(root, size);
  }

  *entries(): Generator<readonly [Key, Value]> {
    yield* entriesOf(this.#root);
  }

  *values(): Generator<Value> {
    for (const [, value] of entriesOf(this.#root)) yield value;
  }

  [Symbol.iterator](): Generator<readonly [Key, Value]> {
    return this.entries();
  }

  /** The keys whose values differ from those of another map: quick where one came from the other. */
  *changedKeys(before: PersistentMap<Key, Value>): Generator<Key> {
    yield* differences(this.#root, before.#root);
  }
}

const isBranch = <Key, Value>(node: Node<Key, Value>): node is Branch<Key, Value> => Array.isArray(node);

const childOf = <Key, Value>(node: Branch<Key, Value>, hash: number): Node<Key, Value> =>
  node[hash & (branches - 1)] as Node<Key, Value>;

function has<Key extends string | number, Value>(node: Node<Key, Value>, key: Key): boolean {
  let at = node;
  for (let hash = hashOf(key); isBranch(at); hash >>>= bitsPerLevel) at = childOf(at, hash);
  return at.has(key);
}

function withEntry<Key extends string | number, Value>(
  node: Node<Key, Value>,
  key: Key,
  value: Value,
  shift: number,
): Node<Key, Value> {
  if (isBranch(node)) {
    const hash = hashOf(key) >>> shift;
    const child = childOf(node, hash);
    const changed = withEntry(child, key, value, shift + bitsPerLevel);
    return changed === child ? node : node.with(hash & (branches - 1), changed);
  }
  if (node.get(key) === value) return node;
  const leaf = new Map(node).set(key, value);
  return leaf.size <= maxLeafSize || shift >= maxShift ? leaf : split(leaf, shift);
}

function split<Key extends string | number, Value>(leaf: Leaf<Key, Value>, shift: number): Branch<Key, Value> {
  const children = Array.from({ length: branches }, () => new Map<Key, Value>());
  for (const [key, value] of leaf) children[(hashOf(key) >>> shift) & (branches - 1)]?.set(key, value);
  return children;
}

/** Branches stay when they run empty: as many keys are likely to come again. */
function without<Key, Value>(node: Node<Key, Value>, key: Key, hash: number): Node<Key, Value> {
  if (isBranch(node)) {
    const child = childOf(node, hash);
    const changed = without(child, key, hash >>> bitsPerLevel);
    return changed === child ? node : node.with(hash & (branches - 1), changed);
  }
  if (!node.has(key)) return node;
  const leaf = new Map(node);
  leaf.delete(key);
  return leaf;
}

function* entriesOf<Key, Value>(node: Node<Key, Value>): Generator<readonly [Key, Value]> {
  if (!isBranch(node)) return yield* node;
  for (const child of node) yield* entriesOf(child);
}

function* differences<Key extends string | number, Value>(
  node: Node<Key, Value>,
  before: Node<Key, Value>,
): Generator<Key> {
  if (node === before) return;
  if (isBranch(node) && isBranch(before)) {
    for (const [place, child] of node.entries()) yield* differences(child, childOf(before, place));
    return;
  }
  const [now, then] = [new Map(entriesOf(node)), new Map(entriesOf(before))];
  for (const [key, value] of now) if (then.get(key) !== value) yield key;
  for (const key of then.keys()) if (!now.has(key)) yield key;
}

/** 32 bits that differ in all places for keys that differ in few. */
function hashOf(key: string | number): number {
  let hash = 0x811c9dc5;
  if (typeof key === 'number') hash ^= key;
  else for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
