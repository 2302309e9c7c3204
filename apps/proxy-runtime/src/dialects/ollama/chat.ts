import { property, textProperty } from '@portcullis/core/json/json-value';
import type { StreamText } from '@portcullis/platform/inspection/inspected-unit';
import type { Dialect, EventReading, RenderedDenial } from '../shared/dialect.ts';
import { openaiChat } from '../openai/chat.ts';
import { answerSources } from '../origins/answer-sources.ts';
import { createRequestSources } from '../origins/request-sources.ts';
import { denialSentence } from '../shared/denial-sentence.ts';
import { collectDeltas, collectWhole, listNamed, readRaw } from '../shared/event-texts.ts';
import { llmKeys } from '../shared/known-keys.ts';
import { readTurnRoles } from '../shared/turns.ts';
import { readOllamaUsage } from '../usage/ollama-usage.ts';

/** Clients read one text; in a stream it is a line of its own. https://docs.ollama.com/api/errors */
const renderOllamaError = (denial: RenderedDenial) => ({
  error: denialSentence(denial),
  code: denial.code.toLowerCase(),
  request_id: denial.requestId,
});

/** Ollama's chat: a stream of lines unless `stream` is false. https://docs.ollama.com/api/chat */
export const ollamaChat: Dialect = {
  name: 'ollama-chat',
  provider: 'ollama',
  bodies: 'conversation',
  keys: llmKeys,
  readModel: (body) => textProperty(body, 'model'),
  readCalls: () => [],
  requestSources: createRequestSources({ system: [], tools: ['tools', 'format'], turns: 'messages' }),
  answerSources,
  readRoles: (body) => readTurnRoles(body, 'messages'),
  addSystemText: openaiChat.addSystemText,
  readUsage: readOllamaUsage,

  readEvent(data): EventReading {
    if (typeof data !== 'object') return readRaw(data);
    const texts: StreamText[] = [];
    const message = property(data, 'message');
    const calls = listNamed(message, 'tool_calls');
    collectDeltas(message, 'message', ['message'], texts, calls);
    if (calls !== undefined) collectWhole(property(message, calls), ['message', calls], texts);
    collectWhole(data, [], texts, 'message');
    return { texts, usage: readOllamaUsage(data), terminal: property(data, 'done') === true };
  },

  keyHeader: 'authorization',
  renderNativeError: renderOllamaError,
  renderStreamError: (denial) => `${JSON.stringify(renderOllamaError(denial))}\n`,
};
