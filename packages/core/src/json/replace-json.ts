import { endOfString, visitJsonSource } from './visit-json-source.ts';
import type { JsonPath } from './visit-strings.ts';

/**
 * The JSON source with another value at the end of `path`, and everything else as it stands; undefined when
 * there is nothing at that place.
 * @param path its last step is a key
 * @param value JSON source
 * @throws {RepeatedKey} @throws {NestedTooDeep}
 */
export function replaceJson(source: string, path: JsonPath, value: string): string | undefined {
  const name = JSON.stringify(path);
  let start: number | undefined;
  let containerEnd: number | undefined;
  visitJsonSource(source, (token) => {
    if (token.path.length !== path.length || JSON.stringify(token.path) !== name) return;
    if (token.kind === 'key') start = startOfValue(source, token.end);
    else if (token.kind === 'container') containerEnd = token.end;
  });
  if (start === undefined) return undefined;
  return source.slice(0, start) + value + source.slice(containerEnd ?? endOfScalar(source, start));
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
