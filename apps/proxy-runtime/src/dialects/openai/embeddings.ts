import { listProperty, property } from '@portcullis/core/json/json-value';
import { openaiChat } from './chat.ts';
import type { Dialect } from '../shared/dialect.ts';

/** A vector is figures, also where it is base64: it looks like a secret and says nothing. Shorter ones are read. */
const isVector = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.every((figure) => typeof figure === 'number')
    : typeof value === 'string' && value.length >= 256 && /^[A-Za-z0-9+/]+={0,2}$/.test(value);

const readable = (answer: unknown): unknown =>
  Array.isArray(property(answer, 'data'))
    ? { ...(answer as object), data: listProperty(answer, 'data').map(withoutVector) }
    : answer;

const withoutVector = (entry: unknown): unknown => {
  if (!isVector(property(entry, 'embedding'))) return entry;
  const { embedding: _vector, ...rest } = entry as Readonly<Record<string, unknown>>;
  return rest;
};

/** OpenAI embeddings. They are no conversation, so they have no place for a system prompt. */
export const openaiEmbeddings: Dialect = {
  ...openaiChat,
  name: 'openai-embeddings',
  bodies: 'json',
  requestSources: () => (place) => (place[0] === 'input' ? 'document' : 'user'),
  readRoles: () => undefined,
  addSystemText: () => undefined,
  // Widespread libraries send them by default.
  holdsTokens: () => false,
  readable,
};
