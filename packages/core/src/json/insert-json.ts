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
 * object or list at that place. What stands in it is only looked at on the way to it.
 * @throws {DuplicateKey} @throws {NestedTooDeep}
 */
export function insertJson(source: string, { into, at, member }: JsonInsertion): string | undefined {
  if (into.length === 0) return insertAt(source, wholeOf(source), at, member);
  const name = JSON.stringify(into);
  let place: Range | undefined;
  visitJsonSource(source, ({ kind, path, start, end }) => {
    if (kind === 'container' && path.length === into.length && JSON.stringify(path) === name) place = { start, end };
  });
  return insertAt(source, place, at, member);
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** The value itself: what stands in it need not be looked at. */
function wholeOf(source: string): Range | undefined {
  const start = source.search(/\S/);
  return source[start] === '{' || source[start] === '[' ? { start, end: source.trimEnd().length } : undefined;
}

function insertAt(
  source: string,
  place: Range | undefined,
  at: JsonInsertion['at'],
  member: string,
): string | undefined {
  if (place === undefined) return undefined;
  const offset = at === 'start' ? place.start + 1 : place.end - 1;
  const next = source.slice(place.start + 1, place.end - 1).search(/\S/);
  const added = next === -1 ? member : at === 'start' ? `${member},` : `,${member}`;
  return source.slice(0, offset) + added + source.slice(offset);
}
