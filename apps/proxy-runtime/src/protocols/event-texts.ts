import { visitStrings, type JsonPath } from '@portcullis/core/json/visit-strings';
import type { StreamText } from './protocol.ts';

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
 */
export function collectDeltas(node: unknown, prefix: string, at: JsonPath, into: StreamText[]): void {
  visitStrings(node, (text, path, isKey) => {
    if (isKey) into.push({ channel: `${prefix}.${path.join('.')} key`, text, path: at.concat(path), isKey });
    else if (!isLabel(path)) into.push({ channel: `${prefix}.${path.join('.')}`, text, path: at.concat(path), isKey });
  });
}
