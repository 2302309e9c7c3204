import { visitJsonSource, visitJsonSourceCooperatively, type JsonToken } from './visit-json-source.ts';
import type { JsonPath } from './visit-strings.ts';

export interface JsonChange {
  readonly path: JsonPath;
  readonly isKey: boolean;
  readonly text: string;
}

/** New texts for strings of a JSON value, by where they stand. */
export class JsonChanges {
  readonly #texts = new Map<string, JsonChange>();

  get size(): number {
    return this.#texts.size;
  }

  set(path: JsonPath, isKey: boolean, text: string): void {
    this.#texts.set(nameOf(path, isKey), { path: [...path], isKey, text });
  }

  find(path: JsonPath, isKey: boolean): string | undefined {
    return this.#texts.get(nameOf(path, isKey))?.text;
  }

  values(): Iterable<JsonChange> {
    return this.#texts.values();
  }
}

const nameOf = (path: JsonPath, isKey: boolean): string => `${isKey ? 'key' : 'text'}${JSON.stringify(path)}`;

/**
 * The JSON source with the changed strings in place and everything else as it stands: numbers keep
 * their spelling, unknown fields their place. `dropped` names keys whose objects and lists become null.
 * @throws {DuplicateKey} @throws {NestedTooDeep}
 */
export function spliceJson(source: string, changes: JsonChanges, dropped?: string): string {
  const edits = new Edits(changes, dropped);
  visitJsonSource(source, (token) => edits.take(token));
  return edits.apply(source);
}

/** The same in steps. @throws {DuplicateKey} @throws {NestedTooDeep} */
export function* spliceJsonCooperatively(source: string, changes: JsonChanges): Generator<undefined, string> {
  const edits = new Edits(changes, undefined);
  yield* visitJsonSourceCooperatively(source, (token) => edits.take(token));
  return edits.apply(source);
}

interface Range {
  readonly start: number;
  readonly end: number;
}

class Edits {
  readonly #changes: JsonChanges;
  readonly #dropped: string | undefined;
  readonly #containers: Range[] = [];
  readonly #strings: (Range & { readonly text: string })[] = [];

  constructor(changes: JsonChanges, dropped: string | undefined) {
    this.#changes = changes;
    this.#dropped = dropped;
  }

  take({ kind, path, start, end }: JsonToken): void {
    if (kind === 'container') {
      if (this.#dropped !== undefined && path.at(-1) === this.#dropped) this.#containers.push({ start, end });
      return;
    }
    const text = this.#changes.find(path, kind === 'key');
    if (text !== undefined) this.#strings.push({ start, end, text });
  }

  apply(source: string): string {
    const edits = [...this.#strings, ...this.#containers.map((range) => ({ ...range, text: null }))].sort(
      (a, b) => a.start - b.start,
    );
    const parts: string[] = [];
    let taken = 0;
    for (const { start, end, text } of edits) {
      // What stands in something that is dropped goes with it.
      if (start < taken) continue;
      parts.push(source.slice(taken, start), JSON.stringify(text));
      taken = end;
    }
    parts.push(source.slice(taken));
    return parts.join('');
  }
}
