import { minKeyTextLength, visitStrings, type JsonPath } from '@portcullis/core/json/visit-strings';
import type { StreamText } from './dialect.ts';

/** Fields that repeat one word in every event; joined they would only cost time. */
const labels = new Set(['object', 'type', 'role', 'model', 'finish_reason', 'stop_reason']);

const isLabel = (path: JsonPath): boolean => {
  const last = path.at(-1);
  return typeof last === 'string' && labels.has(last);
};

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
    if (key === without || value === null) continue;
    // Nearly all there is in events are texts right below the node.
    if (typeof value === 'object' || key.length >= minKeyTextLength) collectDeep({ [key]: value }, prefix, at, into);
    else if (typeof value === 'string' && value !== '' && !labels.has(key))
      into.push({ channel: `${prefix}.${key}`, text: value, path: [...at, key], isKey: false });
  }
}

function collectDeep(node: unknown, prefix: string, at: JsonPath, into: StreamText[]): void {
  visitStrings(node, (text, path, isKey) => {
    if (isKey) into.push({ channel: `${prefix}.${path.join('.')} key`, text, path: at.concat(path), isKey });
    else if (!isLabel(path)) into.push({ channel: `${prefix}.${path.join('.')}`, text, path: at.concat(path), isKey });
  });
}
