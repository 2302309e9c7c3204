import { insertJson } from '@portcullis/core/json/insert-json';
import { countProperty, property, textProperty } from '@portcullis/core/json/json-value';
import type { StreamText } from '@portcullis/platform/inspection/inspected-unit';
import type { Dialect, EventReading } from '../shared/dialect.ts';
import { answerSources } from '../origins/answer-sources.ts';
import { createRequestSources } from '../origins/request-sources.ts';
import { fillField } from '../shared/add-system-text.ts';
import { collectDeltas, collectWhole, readRaw } from '../shared/event-texts.ts';
import { llmKeys } from '../shared/known-keys.ts';
import { readTurnRoles } from '../shared/turns.ts';
import { readConverseUsage } from '../usage/converse-usage.ts';
import { readBedrockModel } from '../shared/model-in-path.ts';
import { renderAwsError } from './render-error.ts';

/** Into the list `system`. What stands last there comes behind every cache point of it. */
const addSystemText: Dialect['addSystemText'] = (source, body, text, at) => {
  if (!Array.isArray(property(body, 'messages'))) return undefined;
  const filled = fillField(source, body, 'system', [{ text }]);
  if (filled !== undefined) return filled;
  if (!Array.isArray(property(body, 'system'))) return undefined;
  return insertJson(source, { into: ['system'], at, member: JSON.stringify({ text }) });
};

/** The text of all blocks is put together by clients; a thought and the input of a call belong to their block. */
const readDelta = (event: unknown, into: StreamText[]): void => {
  const delta = property(event, 'delta');
  const isText = textProperty(delta, 'text') !== undefined;
  const channel = isText ? 'blocks' : `block${countProperty(event, 'contentBlockIndex')}`;
  const pieces: StreamText[] = [];
  collectDeltas(delta, channel, ['contentBlockDelta', 'delta'], pieces);
  for (const piece of pieces) {
    const kinds = new Set<unknown>(piece.path);
    const isThought = kinds.has('reasoningContent');
    if (kinds.has('signature')) into.push({ ...piece, channel: 'event', alone: true, isSigned: true });
    else into.push({ ...piece, ...(isThought && { isSigned: true }), ...(kinds.has('toolUse') && { isJson: true }) });
  }
  collectWhole(event, ['contentBlockDelta'], into, 'delta');
};

/**
 * Amazon Bedrock's Converse, and ConverseStream in frames, whose events are read as `{kind: payload}`.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 */
export const bedrockConverse: Dialect = {
  name: 'bedrock-converse',
  provider: 'aws',
  bodies: 'conversation',
  keys: llmKeys,
  readModel: (_body, path) => readBedrockModel(path),
  readCalls: () => [],
  requestSources: createRequestSources({
    system: ['system'],
    tools: ['toolConfig', 'outputConfig'],
    turns: 'messages',
  }),
  answerSources,
  readRoles: (body) => readTurnRoles(body, 'messages'),
  addSystemText,
  readUsage: readConverseUsage,

  readEvent(data): EventReading {
    if (typeof data !== 'object') return readRaw(data);
    const texts: StreamText[] = [];
    const delta = property(data, 'contentBlockDelta');
    if (delta !== undefined) readDelta(delta, texts);
    collectWhole(data, [], texts, 'contentBlockDelta');
    const metadata = property(data, 'metadata');
    return { texts, usage: readConverseUsage(metadata), terminal: metadata !== undefined };
  },

  keyHeader: 'authorization',
  renderNativeError: renderAwsError,
  renderStreamError: (denial) => `data: ${JSON.stringify(renderAwsError(denial))}\n\n`,
};
