import { addSpan, type MergedSpan, type Span } from '@portcullis/core/policy/redaction/merge-spans';
import type { Placeholders } from '@portcullis/core/policy/redaction/placeholders';

/** A query as its reader will decode it. */
export interface QueryText {
  readonly text: string;
  /** By unit of the text: where it begins in the query; and last, where the query ends. */
  readonly places: readonly number[];
}

/** One percent-encoded character: its first byte tells how many follow. */
const encoded = /%[0-7][\da-f]|%[cd][\da-f]%[\da-f]{2}|%e[\da-f](?:%[\da-f]{2}){2}|%f[\da-f](?:%[\da-f]{2}){3}/iy;

/** @param query with its question mark; what does not decode is read as it stands */
export function decodeQuery(query: string): QueryText {
  const places: number[] = [];
  let text = '';
  for (let at = 1; at < query.length;) {
    const { character, length } = readCharacter(query, at);
    for (let unit = 0; unit < character.length; unit += 1) places.push(at);
    text += character;
    at += length;
  }
  places.push(query.length);
  return { text, places };
}

function readCharacter(query: string, at: number): { readonly character: string; readonly length: number } {
  const unit = query[at] as string;
  if (unit === '+') return { character: ' ', length: 1 };
  encoded.lastIndex = at;
  const found = unit === '%' ? encoded.exec(query) : null;
  if (found === null) return { character: unit, length: 1 };
  try {
    return { character: decodeURIComponent(found[0]), length: found[0].length };
  } catch {
    return { character: unit, length: 1 };
  }
}

/** The query with placeholders in the place of spans of its text, and the rest as it came. */
export function redactQuery(query: string, spans: readonly Span[], placeholders: Placeholders): string {
  const { text, places } = decodeQuery(query);
  const merged: MergedSpan[] = [];
  for (const span of spans) addSpan(merged, span);
  let taken = 0;
  let redacted = '';
  for (const { start, end, lead } of merged) {
    const replacement = placeholders.replacementFor(lead, text.slice(start, end), 'request').text;
    redacted += query.slice(taken, places[start]) + encodeURIComponent(replacement);
    taken = places[end] ?? query.length;
  }
  return redacted + query.slice(taken);
}
