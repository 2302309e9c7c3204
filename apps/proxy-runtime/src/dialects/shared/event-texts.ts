import { isPlainKey } from '@portcullis/core/json/own-keys';
import { longNumber, visitStrings, type JsonPath } from '@portcullis/core/json/visit-strings';
import type { StreamText } from '@portcullis/platform/inspection/inspected-unit';
import type { EventReading } from './dialect.ts';

/** Fields whose texts name something in every event, so that they never go on where an earlier one ended. */
const labels = new Set([
  'id',
  'object',
  'type',
  'role',
  'model',
  'name',
  'index',
  'status',
  'finish_reason',
  'stop_reason',
  'created_at',
  'system_fingerprint',
  'service_tier',
]);

const isLabel = (path: JsonPath): boolean => labels.has(path.at(-1) as string);

/**
 * Every text below a node of an event that continues earlier ones; channels are named by `prefix` and
 * the way to the text, so that a field the dialect gains tomorrow is inspected too.
 * @param at where in the event's data the node stands
 * @param without a property of the node that is left out
 */
export function collectDeltas(node: unknown, prefix: string, at: JsonPath, into: StreamText[], without?: string): void {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return collectDeep(node, prefix, at, into);
  for (const key of Object.keys(node)) {
    const value = (node as Readonly<Record<string, unknown>>)[key];
    if (key === without || isShort(key, value)) continue;
    // Nearly all there is in events are texts right below the node.
    if (typeof value !== 'string' || !isPlainKey(key)) collectDeep({ [key]: value }, prefix, at, into);
    else if (value !== '') {
      const path = [...at, key];
      into.push(labels.has(key) ? aloneText(value, path, false) : pieceOf(`${prefix}.${key}`, value, path));
    }
  }
}

function collectDeep(node: unknown, prefix: string, at: JsonPath, into: StreamText[]): void {
  visitStrings(node, (text, path, isKey, isNumber) => {
    const place = at.concat(path);
    if (isKey || isNumber || isLabel(path)) into.push(aloneText(text, place, isKey, isNumber));
    else into.push(pieceOf(`${prefix}.${path.join('.')}`, text, place));
  });
}

/** A number, a flag or nothing under a key that says nothing. */
const isShort = (key: string, value: unknown): boolean =>
  isPlainKey(key) &&
  (value === null || typeof value === 'boolean' || (typeof value === 'number' && longNumber(value) === undefined));

const pieceOf = (channel: string, text: string, path: JsonPath): StreamText => ({ channel, text, path, isKey: false });

/**
 * Every text below a node of an event, each complete in itself.
 * @param without a property of the node that is left out
 */
export function collectWhole(node: unknown, at: JsonPath, into: StreamText[], without?: string): void {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return collectWholeDeep(node, at, into);
  for (const key of Object.keys(node)) {
    const value = (node as Readonly<Record<string, unknown>>)[key];
    if (key === without || isShort(key, value)) continue;
    if (typeof value !== 'string' || !isPlainKey(key)) collectWholeDeep({ [key]: value }, at, into);
    else if (value !== '' && !isPadding(key, value)) {
      into.push(aloneText(value, [...at, key], false));
    }
  }
}

/** Random letters by which some dialects hide how long their pieces are. */
const isPadding = (key: string, text: string): boolean =>
  (key === 'obfuscation' || key === 'p') && /^[A-Za-z0-9]{1,64}$/.test(text);

function collectWholeDeep(node: unknown, at: JsonPath, into: StreamText[]): void {
  visitStrings(node, (text, path, isKey, isNumber) => into.push(aloneText(text, at.concat(path), isKey, isNumber)));
}

const aloneText = (text: string, path: JsonPath, isKey: boolean, isNumber = false): StreamText => ({
  channel: 'event',
  text,
  path,
  isKey,
  alone: true,
  ...(isNumber && { isNumber }),
});

/** Marks texts from `from` on, or those of them that are meant, as standing in what their provider has signed. */
export function markSigned(texts: StreamText[], from: number, isMeant?: (text: StreamText) => boolean): void {
  for (let at = from; at < texts.length; at += 1) {
    const text = texts[at] as StreamText;
    if (isMeant?.(text) ?? true) texts[at] = { ...text, isSigned: true };
  }
}

/** The name of a property that holds what the dialect says, for it to be left out of the rest; undefined where it holds something else. */
export const listNamed = (value: unknown, key: string): string | undefined =>
  Array.isArray((value as Readonly<Record<string, unknown>> | null | undefined)?.[key]) ? key : undefined;

/** An event that is no JSON object, in a dialect whose events are. */
export function readRaw(data: unknown): EventReading {
  const texts: StreamText[] = [];
  collectDeltas(data, 'raw', [], texts);
  return { texts, usage: undefined, terminal: false };
}
