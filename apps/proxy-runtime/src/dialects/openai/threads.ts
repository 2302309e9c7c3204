import { countProperty, listProperty, property, textProperty } from '@portcullis/core/json/json-value';
import type { JsonPath } from '@portcullis/core/json/visit-strings';
import type { StreamText } from '@portcullis/platform/inspection/inspected-unit';
import { anyJson } from '../any/any-json.ts';
import { nonInference } from '../any/non-inference.ts';
import type { Dialect, EventReading } from '../shared/dialect.ts';
import { echoingAnswerSources } from '../origins/answer-sources.ts';
import { createRequestSources, sourcesWithin } from '../origins/request-sources.ts';
import { fillField, joinText } from '../shared/add-system-text.ts';
import { collectDeltas, collectWhole, readRaw } from '../shared/event-texts.ts';
import { roleOfTurn } from '../shared/turns.ts';
import { openaiChat } from './chat.ts';

const readOwn = createRequestSources({
  system: ['instructions', 'additional_instructions'],
  tools: ['tools', 'tool_choice', 'response_format'],
  turns: 'additional_messages',
});
const readThread = createRequestSources({ system: [], tools: [], turns: 'messages' });

const requestSources: Dialect['requestSources'] = (body) => {
  const [own, within] = [readOwn(body), sourcesWithin(['thread'], readThread)(body)];
  return (place) => {
    if (place[0] === 'tool_outputs') return 'tool';
    return place[0] === 'thread' ? within(place) : own(place);
  };
};

/** A run goes on with all that its thread holds, of which the request may bring some. */
const readRoles: Dialect['readRoles'] = (body) => {
  if (typeof body !== 'object' || body === null) return undefined;
  const brought = property(property(body, 'thread'), 'messages') ?? property(body, 'additional_messages');
  return Array.isArray(brought) ? brought.map(roleOfTurn) : ['user'];
};

/** Into the instructions of the run where it has some; else beside those of its assistant, which others would replace. */
const addSystemText: Dialect['addSystemText'] = (source, body, text, at) => {
  if (textProperty(body, 'assistant_id') === undefined) return undefined;
  const own = property(body, 'instructions') ?? undefined;
  const field = own === undefined ? 'additional_instructions' : 'instructions';
  const filled = fillField(source, body, field, text);
  return filled ?? joinText(source, { path: [field], content: property(body, field) }, text, at);
};

const findInstructions = (value: unknown): readonly JsonPath[] =>
  property(value, 'instructions') !== undefined
    ? [['instructions']]
    : listProperty(value, 'data').flatMap((run, index) =>
        property(run, 'instructions') === undefined ? [] : [['data', index, 'instructions']],
      );

/** Runs tell their usage unasked. */
const { askForUsage: _unasked, promptFields: _none, ...chat } = openaiChat;

/**
 * A run of OpenAI's assistants, which Azure's agents speak, too: https://platform.openai.com/docs/api-reference/runs. Its events:
 * https://platform.openai.com/docs/api-reference/assistants-streaming/events
 */
export const openaiRuns: Dialect = {
  ...chat,
  name: 'openai-threads',
  readModel: (body) => textProperty(body, 'model'),
  requestSources,
  answerSources: echoingAnswerSources,
  readRoles,
  addSystemText,
  readInstructions: (body) => property(body, 'instructions') ?? null,
  findEchoes: findInstructions,

  readEvent(data): EventReading {
    if (data === '[DONE]') return { texts: [], usage: undefined, terminal: true };
    if (typeof data !== 'object') return readRaw(data);
    const object = textProperty(data, 'object') ?? '';
    if (!object.endsWith('.delta')) return { texts: 'complete', usage: openaiChat.readUsage(data), terminal: false };
    const texts: StreamText[] = [];
    const content = property(property(data, 'delta'), 'content');
    const index = Array.isArray(content) ? countProperty(content[0], 'index') : 0;
    collectDeltas(property(data, 'delta'), `${object}${index}`, ['delta'], texts);
    collectWhole(data, [], texts, 'delta');
    return { texts, usage: undefined, terminal: false };
  },

  renderStreamError: (denial) =>
    `event: error\ndata: ${JSON.stringify(openaiChat.renderNativeError(denial).error)}\n\n`,
};

/** A run that the provider keeps: it is looked at or cancelled. Lists of runs show the same of each. */
export const storedRun: Dialect = {
  ...anyJson,
  isStored: true,
  answerSources: echoingAnswerSources,
  findEchoes: findInstructions,
};

/** Results of calls that a run waits for. */
export const openaiToolOutputs: Dialect = { ...openaiRuns, bodies: 'json', readRoles: () => undefined };

/** A thread is only kept; it holds messages. */
export const openaiThreads: Dialect = { ...nonInference(openaiChat), requestSources: readThread };

/** So is one message. */
export const openaiThreadMessages: Dialect = {
  ...nonInference(openaiChat),
  requestSources: (body) => () => roleOfTurn(body),
};
