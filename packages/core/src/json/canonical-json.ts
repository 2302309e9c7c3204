import { maxJsonDepth, NestedTooDeep } from './visit-strings.ts';

/**
 * JSON with the keys of every object in the order of their UTF-16 units and nothing between tokens, so
 * that equal values have equal texts (RFC 8785). Takes what `JSON.parse` makes.
 * @throws {NestedTooDeep}
 */
export function canonicalJson(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (depth >= maxJsonDepth) throw new NestedTooDeep(maxJsonDepth);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, depth + 1)).join(',')}]`;
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson((value as Record<string, unknown>)[key], depth + 1)}`);
  return `{${members.join(',')}}`;
}
