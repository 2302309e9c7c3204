import { endsString } from './ends-string.ts';
import { visitJsonSource, visitJsonSourceCooperatively } from './visit-json-source.ts';

/** What is looked at in a step of a long body: quotes, members of lists, keys. */
const step = 16_384;

/**
 * Throws when an object in the source of `value` has a key twice: readers differ in which of the two
 * they take, so what was looked at need not be what a target reads. Counting the keys on both sides
 * takes little more than finding the quotes; only when they differ is the culprit looked for.
 * @param value what `JSON.parse` made of the source
 * @throws {DuplicateKey} @throws {NestedTooDeep}
 */
export function rejectDuplicateKeys(source: string, value: unknown): void {
  if (hasDuplicateKeys(source, value)) visitJsonSource(source, () => undefined);
}

/** Tells the same of what need not be said by name. */
export function hasDuplicateKeys(source: string, value: unknown): boolean {
  const [written, read] = [new KeysOfSource(source), new KeysOfValue(value)];
  written.run(Infinity);
  read.run(Infinity);
  return written.count !== read.count;
}

/** The same in steps. @throws {DuplicateKey} @throws {NestedTooDeep} */
export function* rejectDuplicateKeysCooperatively(source: string, value: unknown): Generator<undefined, void> {
  if (yield* hasDuplicateKeysCooperatively(source, value)) yield* visitJsonSourceCooperatively(source, () => undefined);
}

export function* hasDuplicateKeysCooperatively(source: string, value: unknown): Generator<undefined, boolean> {
  const [written, read] = [new KeysOfSource(source), new KeysOfValue(value)];
  while (!written.run(step)) yield;
  while (!read.run(step)) yield;
  return written.count !== read.count;
}

const [colon, space] = [0x3a, 0x20];

class KeysOfSource {
  count = 0;
  readonly #source: string;
  #at = 0;
  #inString = false;

  constructor(source: string) {
    this.#source = source;
  }

  /** Looks at so many quotes; true when all have been looked at. */
  run(quotes: number): boolean {
    const source = this.#source;
    for (let left = quotes; left > 0; left -= 1) {
      const quote = source.indexOf('"', this.#at);
      if (quote === -1) return true;
      this.#at = quote + 1;
      if (!this.#inString) this.#inString = true;
      else if (endsString(source, quote)) {
        this.#inString = false;
        if (source.charCodeAt(skipSpace(source, this.#at)) === colon) this.count += 1;
      }
    }
    return false;
  }
}

/** Between tokens of JSON nothing below a space is anything but white space. */
function skipSpace(source: string, from: number): number {
  let at = from;
  while (source.charCodeAt(at) <= space) at += 1;
  return at;
}

/** Without recursion: the parser takes values that are nested deeper than the stack. */
class KeysOfValue {
  count = 0;
  readonly #waiting: unknown[];
  #list: readonly unknown[] = [];
  #at = 0;

  constructor(value: unknown) {
    this.#waiting = [value];
  }

  /** Looks at so many members; true when all have been looked at. */
  run(members: number): boolean {
    for (let left = members; left > 0; left -= 1) {
      if (this.#at < this.#list.length) {
        const one = this.#list[this.#at];
        this.#at += 1;
        if (typeof one === 'object') this.#waiting.push(one);
        continue;
      }
      if (this.#waiting.length === 0) return true;
      const node = this.#waiting.pop();
      if (typeof node !== 'object' || node === null) continue;
      if (Array.isArray(node)) {
        this.#list = node;
        this.#at = 0;
      } else left -= this.#readObject(node as Readonly<Record<string, unknown>>);
    }
    return false;
  }

  #readObject(fields: Readonly<Record<string, unknown>>): number {
    let keys = 0;
    // What was parsed inherits nothing that would be visited here.
    for (const key in fields) {
      keys += 1;
      const one = fields[key];
      if (typeof one === 'object') this.#waiting.push(one);
    }
    this.count += keys;
    return keys;
  }
}
