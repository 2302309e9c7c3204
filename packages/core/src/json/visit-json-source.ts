import { maxJsonDepth, NestedTooDeep } from './visit-strings.ts';

/** A string, object or list as it stands in JSON source. */
export interface JsonToken {
  readonly kind: 'key' | 'text' | 'container';
  /** The way to it, as `visitStrings` tells it: a key's own way ends with itself. Valid during the visit only. */
  readonly path: readonly (string | number)[];
  /** Offsets in the source, quotes and brackets included. */
  readonly start: number;
  readonly end: number;
}

/** Thrown when an object has a key twice: readers differ in which of the two they take. */
export class RepeatedKey extends Error {
  constructor(key: string) {
    super(`The key ${JSON.stringify(key.slice(0, 40))} stands twice in one object`);
    this.name = 'RepeatedKey';
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
 * @throws {RepeatedKey} @throws {NestedTooDeep}
 */
export function visitJsonSource(source: string, visit: (token: JsonToken) => void): void {
  const path: (string | number)[] = [];
  const open: Container[] = [];

  const enter = (start: number, isList: boolean): void => {
    if (open.length >= maxJsonDepth) throw new NestedTooDeep(maxJsonDepth);
    open.push({ start, keys: isList ? undefined : new Set(), expectsKey: !isList });
    if (isList) path.push(0);
  };
  const leave = (end: number): void => {
    const closed = open.pop();
    if (closed === undefined) return;
    if (closed.keys === undefined || closed.keys.size > 0) path.pop();
    visit({ kind: 'container', path, start: closed.start, end });
  };
  const readString = (start: number, end: number): void => {
    const inner = open.at(-1);
    if (inner?.keys === undefined || !inner.expectsKey) {
      visit({ kind: 'text', path, start, end });
      return;
    }
    const key = JSON.parse(source.slice(start, end)) as string;
    if (inner.keys.has(key)) throw new RepeatedKey(key);
    if (inner.keys.size > 0) path.pop();
    inner.keys.add(key);
    inner.expectsKey = false;
    path.push(key);
    visit({ kind: 'key', path, start, end });
  };
  const next = (): void => {
    const inner = open.at(-1);
    if (inner === undefined) return;
    if (inner.keys === undefined) path.push((path.pop() as number) + 1);
    else inner.expectsKey = true;
  };

  structure.lastIndex = 0;
  for (let found = structure.exec(source); found !== null; found = structure.exec(source)) {
    const at = found.index;
    const [sign] = found;
    if (sign === '"') {
      const end = endOfString(source, at);
      readString(at, end);
      structure.lastIndex = end;
    } else if (sign === ',') next();
    else if (sign === '{' || sign === '[') enter(at, sign === '[');
    else leave(at + 1);
  }
}

const backslash = 0x5c;

/** Offset behind the closing quote of the string that starts at `start`. */
export function endOfString(source: string, start: number): number {
  for (let at = source.indexOf('"', start + 1); at !== -1; at = source.indexOf('"', at + 1)) {
    let slashes = 0;
    while (source.charCodeAt(at - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  return source.length;
}
