import { finish } from '../collections/finish-steps.ts';
import { endOfString, visitJsonSourceCooperatively } from './visit-json-source.ts';
import type { JsonPath } from './visit-strings.ts';

/** Another value for a place of a JSON value. */
interface JsonReplacement {
  /** Its last step is a key. */
  readonly path: JsonPath;
  /** JSON source. */
  readonly value: string;
}

/**
 * The JSON source with another value at the end of `path`, and everything else as it stands; undefined when
 * there is nothing at that place.
 * @param path its last step is a key
 * @param value JSON source
 * @throws {DuplicateKey} @throws {NestedTooDeep}
 */
export const replaceJson = (source: string, path: JsonPath, value: string): string | undefined =>
  finish(replaceAllJsonCooperatively(source, [{ path, value }]));

/**
 * The same for any number of places, of which none stands in another one, in steps; undefined when there is nothing at one
 * of them. The source is read once.
 * @throws {DuplicateKey} @throws {NestedTooDeep}
 */
export function* replaceAllJsonCooperatively(
  source: string,
  replacements: readonly JsonReplacement[],
): Generator<undefined, string | undefined> {
  const values = new Map(replacements.map(({ path, value }) => [JSON.stringify(path), value]));
  const depths = new Set(replacements.map(({ path }) => path.length));
  const found = new Map<string, { readonly start: number; end?: number }>();
  yield* visitJsonSourceCooperatively(source, ({ path, kind, end }) => {
    if (kind === 'text' || !depths.has(path.length)) return;
    const name = JSON.stringify(path);
    if (!values.has(name)) return;
    if (kind === 'key') found.set(name, { start: startOfValue(source, end) });
    else {
      const place = found.get(name);
      if (place !== undefined) place.end = end;
    }
  });
  if (found.size < values.size) return undefined;
  const parts: string[] = [];
  let taken = 0;
  // In the order of the source, since a key comes before what stands at it.
  for (const [name, { start, end }] of found) {
    parts.push(source.slice(taken, start), values.get(name) ?? '');
    taken = end ?? endOfScalar(source, start);
  }
  parts.push(source.slice(taken));
  return parts.join('');
}

const beforeValue = /\s*:\s*/y;

function startOfValue(source: string, keyEnd: number): number {
  beforeValue.lastIndex = keyEnd;
  return beforeValue.test(source) ? beforeValue.lastIndex : keyEnd;
}

const behindScalar = /[,\]}\s]|$/g;

function endOfScalar(source: string, start: number): number {
  if (source[start] === '"') return endOfString(source, start);
  behindScalar.lastIndex = start;
  return behindScalar.exec(source)?.index ?? source.length;
}
