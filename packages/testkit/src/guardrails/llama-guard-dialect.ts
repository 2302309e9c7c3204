import { at, firstBroken, hasBearer, listOf, peerKey, type GuardrailDialect } from './guardrail-dialect.ts';

/** The turns that the model's template takes: user and assistant one after the other, the last one judged. */
const takesTurns = (messages: readonly unknown[]): boolean =>
  messages.length > 0 &&
  messages.every(
    (message, index) =>
      at(message, 'role') === (index % 2 === 0 ? 'user' : 'assistant') &&
      typeof at(message, 'content') === 'string' &&
      at(message, 'content') !== '',
  );

export const llamaGuardDialect: GuardrailDialect = {
  type: 'llama_guard',
  access: (url) => ({ config: { base_url: `${url}/v1`, model: 'llama-guard' }, credentials: { api_key: peerKey } }),
  check: (request, body) =>
    firstBroken([
      [request.method === 'POST' && request.path === '/v1/chat/completions', 'no such endpoint'],
      [hasBearer(request), 'invalid key'],
      [at(body, 'model') === 'llama-guard', 'model not found'],
      [takesTurns(listOf(at(body, 'messages'))), 'Conversation roles must alternate user/assistant'],
      [at(body, 'stream') !== true, 'asked to stream'],
    ]),
  readText: (body) => String(at(listOf(at(body, 'messages')).at(-1), 'content')),
  answer: (flagged) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model: 'llama-guard',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: flagged ? '\n\nunsafe\nS1,S9' : '\n\nsafe' },
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: 200, completion_tokens: 4, total_tokens: 204 },
  }),
};
