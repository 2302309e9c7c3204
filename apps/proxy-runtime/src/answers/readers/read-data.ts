import { hasDuplicateKeys, hasDuplicateKeysCooperatively } from '@portcullis/core/json/reject-duplicate-keys';
import type { StreamText } from '@portcullis/platform/inspection/inspected-unit';
import type { Exchange } from '../../exchange/exchange.ts';
import { findDeclaredMedia } from '@portcullis/platform/inspection/declared-media';
import { mergeUsage } from '../../usage/usage.ts';
import type { StreamUnit } from '../../framing/stream-unit.ts';
import { readJsonData } from '../../framing/parse-data.ts';

/** Longest event of a stream: an image comes in one. */
export const maxEventBytes = 16_777_216;

/**
 * What one event of a stream carries, for policies and for the count; undefined when the client shall not see it.
 * @param source of its data
 */
export function readData(exchange: Exchange, source: string): Read | undefined {
  const { value, unreadable } = readJsonData(source);
  const read = readValue(exchange, value);
  if (read !== undefined && unreadable !== undefined) return { ...read, unreadable };
  return read === undefined || isPlain(exchange, source, value) ? read : { ...read, unreadable: repeated };
}

type Read = Pick<StreamUnit, 'content' | 'terminal' | 'sequence' | 'unreadable'>;

const repeated = 'a key that stands twice in an object';

/** No reader could take it for another value than was read. */
const isPlain = ({ proxy }: Exchange, source: string, value: unknown): boolean =>
  proxy.policies === undefined || typeof value !== 'object' || !hasDuplicateKeys(source, value);

/** The same of a whole body. */
export const readAmbiguity = (exchange: Exchange, source: string, value: unknown): Pick<StreamUnit, 'unreadable'> =>
  isPlain(exchange, source, value) ? {} : { unreadable: repeated };

/** The same of a long one. */
export function* readAmbiguityInSteps(
  { proxy }: Exchange,
  source: string,
  value: unknown,
): Generator<undefined, Pick<StreamUnit, 'unreadable'>> {
  const isNone = proxy.policies === undefined || typeof value !== 'object';
  return isNone || !(yield* hasDuplicateKeysCooperatively(source, value)) ? {} : { unreadable: repeated };
}

function readValue(exchange: Exchange, value: unknown): Read | undefined {
  const { texts, usage, background, onlyUsage, terminal, sequence } = exchange.dialect.readEvent(value);
  if (usage !== undefined) exchange.usage = mergeUsage(exchange.usage, usage);
  if (background !== undefined) exchange.background = background;
  if (onlyUsage === true && exchange.hidesUsage) return undefined;
  if (texts === 'complete') return { content: { kind: 'value', value }, terminal, sequence };
  for (const { text, alone } of texts) if (alone !== true) exchange.streamed.add(text);
  return { content: { kind: 'texts', texts: markMedia(value, texts) }, terminal, sequence };
}

/** The texts, with what the event says of those that are files or pieces of them. */
function markMedia(value: unknown, texts: readonly StreamText[]): readonly StreamText[] {
  let marked: StreamText[] | undefined;
  for (const [index, text] of texts.entries()) {
    const media = text.isKey ? undefined : findDeclaredMedia(value, text.path, text.text);
    if (media !== undefined) (marked ??= [...texts])[index] = { ...text, media };
  }
  return marked ?? texts;
}
