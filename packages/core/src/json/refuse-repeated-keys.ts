import { endOfString, visitJsonSource } from './visit-json-source.ts';

/**
 * Throws when an object in the source of `value` has a key twice: readers differ in which of the two
 * they take, so what was looked at need not be what a target reads. Counting the keys on both sides
 * takes little more than finding the quotes; only when they differ is the culprit looked for.
 * @param value what `JSON.parse` made of the source
 * @throws {RepeatedKey} @throws {NestedTooDeep}
 */
export function refuseRepeatedKeys(source: string, value: unknown): void {
  if (repeatsKeys(source, value)) visitJsonSource(source, () => undefined);
}

/** Tells the same of what need not be said by name. */
export const repeatsKeys = (source: string, value: unknown): boolean => countKeysInSource(source) !== countKeys(value);

function countKeysInSource(source: string): number {
  let count = 0;
  for (let quote = source.indexOf('"'); quote !== -1;) {
    const end = endOfString(source, quote);
    if (source.charCodeAt(skipSpace(source, end)) === colon) count += 1;
    quote = source.indexOf('"', end);
  }
  return count;
}

const [colon, space] = [0x3a, 0x20];

/** Between tokens of JSON nothing below a space is anything but white space. */
function skipSpace(source: string, from: number): number {
  let at = from;
  while (source.charCodeAt(at) <= space) at += 1;
  return at;
}

/** Without recursion: the parser takes values that are nested deeper than the stack. */
function countKeys(value: unknown): number {
  let count = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (typeof node !== 'object' || node === null) continue;
    if (Array.isArray(node)) {
      for (const one of node as readonly unknown[]) if (typeof one === 'object') waiting.push(one);
      continue;
    }
    const fields = node as Readonly<Record<string, unknown>>;
    // What was parsed inherits nothing that would be visited here.
    for (const key in fields) {
      count += 1;
      const one = fields[key];
      if (typeof one === 'object') waiting.push(one);
    }
  }
  return count;
}
