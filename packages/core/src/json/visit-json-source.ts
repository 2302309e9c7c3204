import { endsString } from './ends-string.ts';
import { maxJsonDepth, NestedTooDeep } from './visit-strings.ts';

/** A string, object or list as it stands in JSON source. */
export interface JsonToken {
  readonly kind: 'key' | 'text' | 'container';
  /** The way to it, as `visitStrings` gives it: a key's own way ends with itself. Valid during the visit only. */
  readonly path: readonly (string | number)[];
  /** Offsets in the source, quotes and brackets included. */
  readonly start: number;
  readonly end: number;
}

/** Thrown when an object has a key twice: readers differ in which of the two they take. */
export class DuplicateKey extends Error {
  constructor(key: string) {
    super(`The key ${JSON.stringify(key.slice(0, 40))} stands twice in one object`);
    this.name = 'DuplicateKey';
  }
}

interface Container {
  readonly start: number;
  /** Undefined in a list. */
  readonly keys: Set<string> | undefined;
  expectsKey: boolean;
}

/** What matters between strings. */
const structure = /["{}[\],]/g;

/**
 * Visits every key and string in the source of a JSON value that is known to parse, and every object
 * and list when it closes, with the places where they stand: one can be replaced while all around it
 * stays as it came.
 * @throws {DuplicateKey} @throws {NestedTooDeep}
 */
export function visitJsonSource(source: string, visit: (token: JsonToken) => void): void {
  new SourceVisit(source, visit).run(Infinity);
}

/** Signs that are looked at in a step of a long source. */
const step = 8_192;

/** The same in steps. @throws {DuplicateKey} @throws {NestedTooDeep} */
export function* visitJsonSourceCooperatively(
  source: string,
  visit: (token: JsonToken) => void,
): Generator<undefined, void> {
  const going = new SourceVisit(source, visit);
  while (!going.run(step)) yield;
}

/** A visit that goes on for as long as it is let. */
export class SourceVisit {
  readonly #source: string;
  readonly #visit: (token: JsonToken) => void;
  readonly #path: (string | number)[] = [];
  readonly #open: Container[] = [];
  #at = 0;

  constructor(source: string, visit: (token: JsonToken) => void) {
    this.#source = source;
    this.#visit = visit;
  }

  /** Looks at so many signs; true when all have been looked at. @throws {DuplicateKey} @throws {NestedTooDeep} */
  run(signs: number): boolean {
    for (let left = signs; left > 0; left -= 1) {
      // A visitor may visit something itself, with the same expression.
      structure.lastIndex = this.#at;
      const found = structure.exec(this.#source);
      if (found === null) return true;
      const at = found.index;
      const [sign] = found;
      this.#at = at + 1;
      if (sign === '"') {
        this.#at = endOfString(this.#source, at);
        this.#readString(at, this.#at);
      } else if (sign === ',') this.#next();
      else if (sign === '{' || sign === '[') this.#enter(at, sign === '[');
      else this.#leave(at + 1);
    }
    return false;
  }

  #enter(start: number, isList: boolean): void {
    if (this.#open.length >= maxJsonDepth) throw new NestedTooDeep(maxJsonDepth);
    this.#open.push({ start, keys: isList ? undefined : new Set(), expectsKey: !isList });
    if (isList) this.#path.push(0);
  }

  #leave(end: number): void {
    const closed = this.#open.pop();
    if (closed === undefined) return;
    if (closed.keys === undefined || closed.keys.size > 0) this.#path.pop();
    this.#visit({ kind: 'container', path: this.#path, start: closed.start, end });
  }

  #readString(start: number, end: number): void {
    const inner = this.#open.at(-1);
    const path = this.#path;
    if (inner?.keys === undefined || !inner.expectsKey) {
      this.#visit({ kind: 'text', path, start, end });
      return;
    }
    const key = JSON.parse(this.#source.slice(start, end)) as string;
    if (inner.keys.has(key)) throw new DuplicateKey(key);
    if (inner.keys.size > 0) path.pop();
    inner.keys.add(key);
    inner.expectsKey = false;
    path.push(key);
    this.#visit({ kind: 'key', path, start, end });
  }

  #next(): void {
    const inner = this.#open.at(-1);
    if (inner === undefined) return;
    if (inner.keys === undefined) this.#path.push((this.#path.pop() as number) + 1);
    else inner.expectsKey = true;
  }
}

/** Offset behind the closing quote of the string that starts at `start`. */
export function endOfString(source: string, start: number): number {
  for (let at = source.indexOf('"', start + 1); at !== -1; at = source.indexOf('"', at + 1)) {
    if (endsString(source, at)) return at + 1;
  }
  return source.length;
}
