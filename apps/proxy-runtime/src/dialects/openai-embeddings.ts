import { listProperty, property } from './json-value.ts';
import { openaiChat } from './openai-chat.ts';
import type { Dialect } from './dialect.ts';

/** A vector is figures, also where it is base64: it looks like a secret and says nothing. */
const readable = (answer: unknown): unknown =>
  Array.isArray(property(answer, 'data'))
    ? { ...(answer as object), data: listProperty(answer, 'data').map(withoutVector) }
    : answer;

const withoutVector = (entry: unknown): unknown => {
  const { embedding: _vector, ...rest } = Object(entry) as Readonly<Record<string, unknown>>;
  return rest;
};

/** OpenAI embeddings. Nobody speaks in them, so they have no place for a system prompt. */
export const openaiEmbeddings: Dialect = {
  ...openaiChat,
  name: 'openai-embeddings',
  bodies: 'json',
  requestSources: () => (place) => (place[0] === 'input' ? 'document' : 'user'),
  readRoles: () => undefined,
  addSystemText: () => undefined,
  readable,
};
