import { visitJsonSource } from './visit-json-source.ts';
import type { JsonPath } from './visit-strings.ts';

/** A value to add to an object or a list: at its beginning, or behind its last member. */
export interface JsonInsertion {
  /** The way to the object or list. */
  readonly into: JsonPath;
  readonly at: 'start' | 'end';
  /** JSON source: `"key":value` for an object, a value for a list. */
  readonly member: string;
}

/**
 * The JSON source with one member more and everything else as it stands; undefined when there is no
 * object or list at that place.
 * @throws {RepeatedKey} @throws {NestedTooDeep}
 */
export function insertJson(source: string, { into, at, member }: JsonInsertion): string | undefined {
  const name = JSON.stringify(into);
  let place: { readonly start: number; readonly end: number } | undefined;
  visitJsonSource(source, ({ kind, path, start, end }) => {
    if (kind === 'container' && path.length === into.length && JSON.stringify(path) === name) place = { start, end };
  });
  if (place === undefined) return undefined;
  const isEmpty = source.slice(place.start + 1, place.end - 1).trim() === '';
  const offset = at === 'start' ? place.start + 1 : place.end - 1;
  const added = isEmpty ? member : at === 'start' ? `${member},` : `,${member}`;
  return source.slice(0, offset) + added + source.slice(offset);
}
