import { visitJsonSource } from './visit-json-source.ts';
import type { JsonPath } from './visit-strings.ts';

/**
 * The JSON source with another value in the place of the null at the end of `path`, and everything else as it
 * stands; undefined when there is no null.
 * @param path its last step is a key
 * @param value JSON source
 * @throws {DuplicateKey} @throws {NestedTooDeep}
 */
export function replaceNull(source: string, path: JsonPath, value: string): string | undefined {
  const name = JSON.stringify(path);
  let keyEnd: number | undefined;
  visitJsonSource(source, ({ kind, path: found, end }) => {
    if (kind === 'key' && found.length === path.length && JSON.stringify(found) === name) keyEnd = end;
  });
  if (keyEnd === undefined) return undefined;
  nullValue.lastIndex = keyEnd;
  const found = nullValue.exec(source);
  if (found === null) return undefined;
  return source.slice(0, nullValue.lastIndex - 4) + value + source.slice(nullValue.lastIndex);
}

const nullValue = /\s*:\s*null/y;
