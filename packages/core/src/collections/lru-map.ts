/** One thing that is kept. Its value may be changed in place. */
export interface RecentEntry<Value> {
  readonly key: string;
  value: Value;
}

interface Link<Value> extends RecentEntry<Value> {
  older: Link<Value> | undefined;
  newer: Link<Value> | undefined;
}

/**
 * Values by their keys, in the order of their last use. A `Map` in that order would be written anew every few uses:
 * what is deleted from it and put back leaves a gap each time.
 */
export class LruMap<Value> {
  readonly #links = new Map<string, Link<Value>>();
  #oldest: Link<Value> | undefined;
  #newest: Link<Value> | undefined;
  readonly #most: number;

  /** @param most entries; the one that was not used for longest gives way to a new one */
  constructor(most = Infinity) {
    this.#most = most;
  }

  get size(): number {
    return this.#links.size;
  }

  /** The one that was not used for longest. */
  get oldest(): RecentEntry<Value> | undefined {
    return this.#oldest;
  }

  /** Finds an entry, which makes it the newest. */
  use(key: string): RecentEntry<Value> | undefined {
    const link = this.#links.get(key);
    if (link === undefined || link === this.#newest) return link;
    this.#unlink(link);
    this.#append(link);
    return link;
  }

  /** Adds what is not there yet, as the newest. */
  add(key: string, value: Value): RecentEntry<Value> {
    const link: Link<Value> = { key, value, older: undefined, newer: undefined };
    this.#links.set(key, link);
    this.#append(link);
    if (this.#links.size > this.#most && this.#oldest !== undefined) this.delete(this.#oldest.key);
    return link;
  }

  /** Adds a value, or puts it in the place of a known one, as the newest. */
  set(key: string, value: Value): void {
    const known = this.use(key);
    if (known === undefined) this.add(key, value);
    else known.value = value;
  }

  delete(key: string): void {
    const link = this.#links.get(key);
    if (link === undefined) return;
    this.#links.delete(key);
    this.#unlink(link);
  }

  #append(link: Link<Value>): void {
    link.older = this.#newest;
    link.newer = undefined;
    if (this.#newest === undefined) this.#oldest = link;
    else this.#newest.newer = link;
    this.#newest = link;
  }

  #unlink({ older, newer }: Link<Value>): void {
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
  }
}
