import { visitJsonSource } from './visit-json-source.ts';
import type { JsonPath } from './visit-strings.ts';

/** New texts for strings of a JSON value, by where they stand. */
export class JsonChanges {
  readonly #texts = new Map<string, string>();

  get size(): number {
    return this.#texts.size;
  }

  set(path: JsonPath, isKey: boolean, text: string): void {
    this.#texts.set(nameOf(path, isKey), text);
  }

  find(path: JsonPath, isKey: boolean): string | undefined {
    return this.#texts.get(nameOf(path, isKey));
  }
}

const nameOf = (path: JsonPath, isKey: boolean): string => `${isKey ? 'key' : 'text'}${JSON.stringify(path)}`;

/**
 * The JSON source with the changed strings in place and everything else as it stands: numbers keep
 * their spelling, unknown fields their place. `dropped` names keys whose objects and lists become null.
 * @throws {RepeatedKey} @throws {NestedTooDeep}
 */
export function spliceJson(source: string, changes: JsonChanges, dropped?: string): string {
  const parts: string[] = [];
  let taken = 0;
  const replace = (start: number, end: number, text: string): void => {
    parts.push(source.slice(taken, start), text);
    taken = end;
  };
  const containers: { readonly start: number; readonly end: number }[] = [];
  const strings: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  visitJsonSource(source, ({ kind, path, start, end }) => {
    if (kind === 'container') {
      if (dropped !== undefined && path.at(-1) === dropped) containers.push({ start, end });
      return;
    }
    const text = changes.find(path, kind === 'key');
    if (text !== undefined) strings.push({ start, end, text });
  });
  const isDropped = (start: number): boolean => containers.some((range) => start >= range.start && start < range.end);
  const edits = [
    ...strings.filter(({ start }) => !isDropped(start)).map((edit) => ({ ...edit, text: JSON.stringify(edit.text) })),
    ...containers.map((range) => ({ ...range, text: 'null' })),
  ].sort((a, b) => a.start - b.start);
  for (const { start, end, text } of edits) if (start >= taken) replace(start, end, text);
  parts.push(source.slice(taken));
  return parts.join('');
}
