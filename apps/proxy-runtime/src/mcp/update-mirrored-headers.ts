import type { IncomingHttpHeaders } from 'node:http';
import { visitStrings } from '@portcullis/core/json/visit-strings';
import { property } from '@portcullis/core/json/json-value';
import { decodeMirrored, encodeMirrored } from './mirrored-headers.ts';

const mirrors = /^mcp-(?:name|param-.+)$/;

/**
 * Headers that repeat what was hidden in a message, with what stands there now: the target compares them,
 * and must not read in one what was taken out of the other.
 * @returns by name of the header; undefined when none repeats anything that changed
 */
export function updateMirroredHeaders(
  headers: IncomingHttpHeaders,
  before: unknown,
  after: unknown,
): ReadonlyMap<string, string> | undefined {
  const names = Object.keys(headers).filter((name) => mirrors.test(name));
  if (names.length === 0) return undefined;
  const changed = new Map<string, string>();
  visitStrings(before, (text, path, isKey) => {
    if (isKey) return;
    const now = path.reduce<unknown>((value, step) => property(value, String(step)), after);
    if (typeof now === 'string' && now !== text) changed.set(text, now);
  });
  const mirrored = new Map<string, string>();
  for (const name of names) {
    const now = changed.get(decodeMirrored(String(headers[name])));
    if (now !== undefined) mirrored.set(name, encodeMirrored(now));
  }
  return mirrored.size === 0 ? undefined : mirrored;
}
