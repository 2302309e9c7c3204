import { countProperty, property, textProperty } from '@portcullis/core/json/json-value';
import type { StreamText } from '@portcullis/platform/inspection/inspected-unit';
import type { Dialect, EventReading, RenderedDenial } from '../shared/dialect.ts';
import { openaiChat } from '../openai/chat.ts';
import { answerSources } from '../origins/answer-sources.ts';
import { createRequestSources } from '../origins/request-sources.ts';
import { denialSentence } from '../shared/denial-sentence.ts';
import { collectDeltas, collectWhole, readRaw } from '../shared/event-texts.ts';
import { llmKeys } from '../shared/known-keys.ts';
import { readTurnRoles } from '../shared/turns.ts';
import { readCohereUsage } from '../usage/cohere-usage.ts';

const renderError = (denial: RenderedDenial) => ({
  message: denialSentence(denial),
  error: { code: denial.code.toLowerCase(), request_id: denial.requestId },
});

/** Events whose texts go on with those before, and of what they are pieces. */
const channels: ReadonlyMap<string, (index: number) => string> = new Map([
  ['content-start', () => 'content'],
  ['content-delta', () => 'content'],
  ['tool-plan-delta', () => 'plan'],
  ['tool-call-start', (index: number) => `call${index}`],
  ['tool-call-delta', (index: number) => `call${index}`],
]);

/** Cohere's chat, version 2: https://docs.cohere.com/reference/chat, its events: https://docs.cohere.com/v2/docs/streaming */
export const cohereChat: Dialect = {
  name: 'cohere-chat',
  provider: 'cohere',
  bodies: 'conversation',
  keys: llmKeys,
  readModel: (body) => textProperty(body, 'model'),
  readCalls: () => [],
  requestSources: createRequestSources({
    system: [],
    tools: ['tools', 'tool_choice', 'response_format'],
    documents: ['documents'],
    turns: 'messages',
  }),
  answerSources,
  readRoles: (body) => readTurnRoles(body, 'messages'),
  addSystemText: openaiChat.addSystemText,
  readUsage: readCohereUsage,

  readEvent(data): EventReading {
    if (data === '[DONE]') return { texts: [], usage: undefined, terminal: true };
    if (typeof data !== 'object') return readRaw(data);
    const texts: StreamText[] = [];
    const type = textProperty(data, 'type') ?? '';
    const channel = channels.get(type)?.(countProperty(data, 'index'));
    const delta = property(data, 'delta');
    if (channel !== undefined) collectDeltas(delta, channel, ['delta'], texts);
    collectWhole(data, [], texts, channel === undefined ? undefined : 'delta');
    const isLast = type === 'message-end';
    return { texts, usage: isLast ? readCohereUsage(delta) : undefined, terminal: isLast };
  },

  keyHeader: 'authorization',
  renderNativeError: renderError,
  renderStreamError: (denial) => `event: error\ndata: ${JSON.stringify(renderError(denial))}\n\n`,
};
