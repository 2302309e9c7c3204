import { finish } from '../collections/finish-steps.ts';
import { endsString } from './ends-string.ts';
import { maxJsonDepth, NestedTooDeep } from './visit-strings.ts';

/** So many values of one kind JSON may hold, or of several kinds in proportion. */
export interface JsonBounds {
  readonly numbers: number;
  /** Texts, lists and objects. */
  readonly texts: number;
  readonly keys: number;
}

/**
 * What parsing takes less than 50 ms for. A new key takes sixteen times as long as a number: it is entered in a table of
 * all keys, and its object gets a shape of its own.
 */
export const jsonBounds: JsonBounds = { numbers: 1_000_000, texts: 250_000, keys: 62_500 };

/** Characters of which no JSON can be made that is beyond `jsonBounds`. */
export const alwaysWithinBounds = 262_144;

/** Thrown before JSON is parsed that holds more values than bounds allow. */
export class TooManyValues extends Error {
  constructor({ numbers, texts, keys }: JsonBounds) {
    const [many, some, few] = [numbers, texts, keys].map((bound) => bound.toLocaleString('en'));
    super(
      `Too many values: JSON may hold ${many} numbers, or ${some} texts, lists and objects, or ${few} keys, or a mixture in proportion`,
    );
    this.name = 'TooManyValues';
  }
}

/** Characters that are looked at in a step. */
const step = 131_072;

/**
 * Counts what JSON holds before it is parsed: parsing is one step, and takes as long as there are values. Texts may be as
 * long as they like. What is no JSON is left to the parser, which finds that out no later.
 * @throws {TooManyValues} @throws {NestedTooDeep}
 */
export function* checkJsonBoundsCooperatively(source: string, bounds = jsonBounds): Generator<undefined, void> {
  const count = new ValueCount(source);
  for (;;) {
    const isDone = count.run(step);
    if (count.share(bounds) > 1) throw new TooManyValues(bounds);
    if (isDone) return;
    yield;
  }
}

/** The same at once. @throws {TooManyValues} @throws {NestedTooDeep} */
export const checkJsonBounds = (source: string, bounds?: JsonBounds): void =>
  finish(checkJsonBoundsCooperatively(source, bounds));

/**
 * `JSON.parse` for what others send.
 * @throws {SyntaxError} @throws {TooManyValues} @throws {NestedTooDeep}
 */
export function parseBoundedJson(source: string): unknown {
  if (source.length > alwaysWithinBounds) checkJsonBounds(source);
  return JSON.parse(source) as unknown;
}

/** The same in steps, of which parsing is one. */
export function* parseBoundedJsonCooperatively(source: string): Generator<undefined, unknown> {
  yield* checkJsonBoundsCooperatively(source);
  return JSON.parse(source) as unknown;
}

const [quote, comma, colon] = [0x22, 0x2c, 0x3a];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

class ValueCount {
  readonly #source: string;
  #at = 0;
  #inString = false;
  #depth = 0;
  #hasValue = false;
  #commas = 0;
  #strings = 0;
  #containers = 0;
  #keys = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** Of all that is allowed; beyond 1 when it is more. */
  share({ numbers, texts, keys }: JsonBounds): number {
    const others = this.#strings - this.#keys + this.#containers;
    const scalars = Math.max(0, this.#commas - others - this.#keys);
    return scalars / numbers + others / texts + this.#keys / keys;
  }

  /** Looks at so many characters, and the rest of a text; true when all have been looked at. */
  run(characters: number): boolean {
    const source = this.#source;
    const end = Math.min(source.length, this.#at + characters);
    while (this.#at < end) {
      if (this.#inString) {
        if (!this.#endString()) return true;
        continue;
      }
      const sign = source.charCodeAt(this.#at);
      this.#at += 1;
      if (sign === quote || sign === openList || sign === openObject) {
        // A second value is none of the first's: the parser ends here.
        if (this.#depth === 0 && this.#hasValue) return true;
        this.#hasValue = true;
        if (sign === quote) this.#inString = true;
        else this.#enter();
      } else if (sign === closeList || sign === closeObject) this.#depth -= 1;
      else if (sign === comma) this.#commas += 1;
      else if (sign === colon) this.#keys += 1;
    }
    return this.#at >= source.length;
  }

  #enter(): void {
    this.#containers += 1;
    this.#depth += 1;
    if (this.#depth > maxJsonDepth) throw new NestedTooDeep(maxJsonDepth);
  }

  /** False when it has no end. */
  #endString(): boolean {
    const end = this.#source.indexOf('"', this.#at);
    if (end === -1) return false;
    this.#at = end + 1;
    if (endsString(this.#source, end)) {
      this.#inString = false;
      this.#strings += 1;
    }
    return true;
  }
}
