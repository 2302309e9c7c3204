import { echoingAnswerSources } from '../origins/answer-sources.ts';
import { createRequestSources, everythingUser } from '../origins/request-sources.ts';
import { readBackgroundWork } from '../../usage/background-work.ts';
import { fillField, joinText } from '../shared/add-system-text.ts';
import { collectDeltas, collectWhole } from '../shared/event-texts.ts';
import { countProperty, property, textProperty } from '@portcullis/core/json/json-value';
import { renderOpenaiError } from '../shared/render-openai-error.ts';
import { llmKeys } from '../shared/known-keys.ts';
import type { StreamText } from '@portcullis/platform/inspection/inspected-unit';
import type { EventReading, RenderedDenial, Dialect } from '../shared/dialect.ts';
import { readTurnRoles } from '../shared/turns.ts';
import { readResponsesUsage } from '../usage/responses-usage.ts';

/** A request that builds on an answer that the provider keeps goes on with it. */
const readRoles: Dialect['readRoles'] = (body) => {
  const input = property(body, 'input');
  const roles = typeof input === 'string' ? ['user'] : readTurnRoles(body, 'input');
  const earlier = property(body, 'previous_response_id') ?? property(body, 'conversation') ?? undefined;
  if (earlier !== undefined) return ['assistant', ...(roles ?? [])];
  return roles ?? (property(body, 'prompt') === undefined ? undefined : []);
};

/** Into the field `instructions`, which stands beside the input. */
const addSystemText: Dialect['addSystemText'] = (source, body, text, at) => {
  if (readRoles(body) === undefined) return undefined;
  const filled = fillField(source, body, 'instructions', text);
  return filled ?? joinText(source, { path: ['instructions'], content: property(body, 'instructions') }, text, at);
};

/** Answers and the events that carry them show the instructions. */
const findEchoes: Dialect['findEchoes'] = (value) => [
  ...(property(value, 'instructions') === undefined ? [] : [['instructions']]),
  ...(property(property(value, 'response'), 'instructions') === undefined ? [] : [['response', 'instructions']]),
];

const endings = new Set(['response.completed', 'response.incomplete', 'response.failed', 'error']);

/** What is a delta of one text, and of which: by the kind of the event and its place in the output. */
function readDelta(data: unknown, type: string): readonly StreamText[] {
  const part = countProperty(data, 'content_index') + countProperty(data, 'summary_index');
  const into: StreamText[] = [];
  // Clients put the texts of all parts together.
  const place = type.endsWith('_text.delta') ? 'texts' : `output${countProperty(data, 'output_index')}.${part}`;
  const channel = `${place}.${type}`;
  collectDeltas(property(data, 'delta'), channel, ['delta'], into);
  const pieces = type.includes('arguments') ? into.map((text) => ({ ...text, isJson: true })) : into;
  collectWhole(data, [], pieces, 'delta');
  return pieces;
}

/**
 * OpenAI responses. Texts come in deltas, and once more whole when they are done: what is no delta is
 * complete in itself.
 */
export const openaiResponses: Dialect = {
  name: 'openai-responses',
  provider: 'openai',
  bodies: 'conversation',
  keys: llmKeys,
  readModel: (body) => textProperty(body, 'model'),
  readCalls: () => [],
  requestSources: createRequestSources({
    system: ['instructions'],
    tools: ['tools', 'tool_choice', 'text'],
    turns: 'input',
  }),
  answerSources: echoingAnswerSources,
  readRoles,
  addSystemText,
  readInstructions: (body) => property(body, 'instructions') ?? null,
  findEchoes,
  readUsage: readResponsesUsage,
  readBackground: (answer) => readBackgroundWork(answer),

  readEvent(data): EventReading {
    const type = textProperty(data, 'type') ?? '';
    const sequence = countProperty(data, 'sequence_number');
    if (type.endsWith('.delta')) return { texts: readDelta(data, type), usage: undefined, terminal: false, sequence };
    const response = property(data, 'response');
    const [usage, background] = [readResponsesUsage(response), readBackgroundWork(response)];
    return { texts: 'complete', usage, background, terminal: endings.has(type), sequence };
  },

  keyHeader: 'authorization',
  renderNativeError: renderOpenaiError,
  renderStreamError: (denial) => `event: error\ndata: ${JSON.stringify(renderErrorEvent(denial))}\n\n`,
};

/** The fields stand in the event as they are documented, and in `error` as they are sent and as clients look for them. */
const renderErrorEvent = (denial: RenderedDenial) => {
  const { error } = renderOpenaiError(denial);
  return {
    type: 'error',
    sequence_number: denial.nextSequence,
    code: error.code,
    message: error.message,
    param: null,
    error,
  };
};

/**
 * A response that the provider keeps: it is fetched, streamed once more or cancelled, and no model works for it.
 * Its traffic is otherwise that of no dialect.
 */
export const storedResponse: Dialect = {
  ...openaiResponses,
  name: 'any-json',
  bodies: 'json',
  requestSources: () => everythingUser,
  readRoles: () => undefined,
  addSystemText: () => undefined,
  isStored: true,
};
