import { answerSources } from '../origins/answer-sources.ts';
import { createRequestSources } from '../origins/request-sources.ts';
import { fillField, joinText } from '../shared/add-system-text.ts';
import { denialSentence } from '../shared/denial-sentence.ts';
import { collectDeltas, collectWhole, readRaw } from '../shared/event-texts.ts';
import { countProperty, property, textProperty } from '@portcullis/core/json/json-value';
import { llmKeys } from '../shared/known-keys.ts';
import type { StreamText } from '@portcullis/platform/inspection/inspected-unit';
import type { EventReading, RenderedDenial, Dialect } from '../shared/dialect.ts';
import { isToolResult, readTurnRoles } from '../shared/turns.ts';
import { readAnthropicUsage } from '../usage/anthropic-usage.ts';

/** Into the field `system`, which stands beside the messages. */
const addSystemText: Dialect['addSystemText'] = (source, body, text, at) => {
  if (!Array.isArray(property(body, 'messages'))) return undefined;
  const filled = fillField(source, body, 'system', text);
  return filled ?? joinText(source, { path: ['system'], content: property(body, 'system') }, text, at);
};

/** Events whose texts go on with those of their block, and the field that holds them. All else is complete in itself. */
const continuing: ReadonlyMap<string, string> = new Map([
  ['content_block_start', 'content_block'],
  ['content_block_delta', 'delta'],
]);

const textKinds: ReadonlySet<string> = new Set(['text', 'text_delta']);

/** Thoughts, whose signature comes behind them, and what is sealed. */
const signedKinds: ReadonlySet<string> = new Set([
  'thinking',
  'thinking_delta',
  'signature_delta',
  'redacted_thinking',
]);

function markTexts(texts: readonly StreamText[], block: unknown): readonly StreamText[] {
  if (isToolResult(block)) return texts.map((text) => ({ ...text, source: 'tool' }));
  if (!signedKinds.has(textProperty(block, 'type') ?? '')) return texts;
  return texts.map((text) => ({ ...text, isSigned: true }));
}

const errorType = (status: number): string => {
  if (status === 401) return 'authentication_error';
  if (status === 403) return 'permission_error';
  if (status === 413) return 'request_too_large';
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'api_error' : 'invalid_request_error';
};

const renderError = (denial: RenderedDenial) => ({
  type: 'error',
  error: { type: errorType(denial.status), message: denialSentence(denial) },
  request_id: denial.requestId,
});

/** Anthropic messages. A stream tells its input in `message_start` and the running total of its output in `message_delta`. */
export const anthropicMessages: Dialect = {
  name: 'anthropic-messages',
  provider: 'anthropic',
  bodies: 'conversation',
  keys: llmKeys,
  readModel: (body) => textProperty(body, 'model'),
  readCalls: () => [],
  requestSources: createRequestSources({
    system: ['system'],
    tools: ['tools', 'tool_choice', 'output_config', 'output_format'],
    turns: 'messages',
  }),
  answerSources,
  readRoles: (body) => readTurnRoles(body, 'messages'),
  addSystemText,
  readUsage: readAnthropicUsage,

  readEvent(data): EventReading {
    if (typeof data !== 'object') return readRaw(data);
    const type = textProperty(data, 'type') ?? '';
    const texts: StreamText[] = [];
    const field = continuing.get(type);
    const block = field === undefined ? undefined : property(data, field);
    // Clients put the texts of all blocks together.
    const isText = textKinds.has(textProperty(block, 'type') ?? '');
    const channel = isText ? 'blocks' : `block${countProperty(data, 'index')}`;
    if (field !== undefined) collectDeltas(block, channel, [field], texts);
    collectWhole(data, [], texts, field);
    const usage = readAnthropicUsage(type === 'message_start' ? property(data, 'message') : data);
    return { texts: markTexts(texts, block), usage, terminal: type === 'message_stop' };
  },

  keyHeader: 'x-api-key',
  renderNativeError: renderError,
  renderStreamError: (denial) => `event: error\ndata: ${JSON.stringify(renderError(denial))}\n\n`,
};
