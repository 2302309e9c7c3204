import type { Exchange } from '../../exchange.ts';
import { mergeUsage } from '../../usage/usage.ts';
import type { StreamUnit } from '../stream-unit.ts';

/** Longest event of a stream: an image comes in one. */
export const maxEventBytes = 16_777_216;

/** What one event of a stream carries, for policies and for the count; undefined when the client shall not see it. */
export function readData(
  exchange: Exchange,
  value: unknown,
): Pick<StreamUnit, 'content' | 'terminal' | 'sequence'> | undefined {
  const { texts, usage, background, onlyUsage, terminal, sequence } = exchange.protocol.readEvent(value);
  if (usage !== undefined) exchange.usage = mergeUsage(exchange.usage, usage);
  if (background !== undefined) exchange.background = background;
  if (onlyUsage === true && exchange.hidesUsage) return undefined;
  if (texts === 'complete') return { content: { kind: 'value', value }, terminal, sequence };
  for (const { text } of texts) exchange.streamed.add(text);
  return { content: { kind: 'texts', texts }, terminal, sequence };
}
