import { insertJson } from '@portcullis/core/json/insert-json';
import { answerSources } from '../origins/answer-sources.ts';
import { createRequestSources } from '../origins/request-sources.ts';
import { joinText } from '../shared/add-system-text.ts';
import { askForStreamUsage } from './stream-options.ts';
import { collectDeltas, collectWhole, listNamed, markSigned, readRaw } from '../shared/event-texts.ts';
import { countProperty, listProperty, property, textProperty } from '@portcullis/core/json/json-value';
import { renderOpenaiError, renderOpenaiStreamError } from '../shared/render-openai-error.ts';
import { llmKeys } from '../shared/known-keys.ts';
import { readAzureModel } from '../shared/model-in-path.ts';
import type { StreamText } from '@portcullis/platform/inspection/inspected-unit';
import type { EventReading, Dialect } from '../shared/dialect.ts';
import { readTurnRoles } from '../shared/turns.ts';
import { readChatUsage } from '../usage/chat-usage.ts';

/** Pieces of one choice, and of one tool call within it, belong together across events. */
const readChoiceTexts = (choice: unknown, place: number, into: StreamText[]): void => {
  const channel = `choice${countProperty(choice, 'index')}`;
  const delta = property(choice, 'delta');
  if (typeof delta !== 'object' || delta === null) {
    collectDeltas(choice, channel, ['choices', place], into, 'logprobs');
    collectWhole(property(choice, 'logprobs'), ['choices', place, 'logprobs'], into);
    return;
  }
  const from = into.length;
  collectDeltas(delta, channel, ['choices', place, 'delta'], into, listNamed(delta, 'tool_calls'));
  if ('reasoning_details' in delta || 'thinking_blocks' in delta)
    markSigned(into, from, ({ path }) => signedFields.has(path[3]));
  collectWhole(choice, ['choices', place], into, 'delta');
  for (const [index, call] of listProperty(delta, 'tool_calls').entries()) {
    const tool = `${channel}.tool${countProperty(call, 'index')}`;
    collectDeltas(call, tool, ['choices', place, 'delta', 'tool_calls', index], into);
  }
};

/** Thoughts of Anthropic's models, as OpenRouter and LiteLLM hand them on: their signature comes behind them. */
const signedFields: ReadonlySet<unknown> = new Set(['reasoning_details', 'thinking_blocks']);

/** Into the first system message, or as one before all others. */
const addSystemText: Dialect['addSystemText'] = (source, body, text, at) => {
  const messages = property(body, 'messages');
  if (!Array.isArray(messages)) return undefined;
  const place = messages.findIndex((message) => systemRoles.has(textProperty(message, 'role') ?? ''));
  if (place !== -1) {
    const content: unknown = property(messages[place], 'content');
    const joined = joinText(source, { path: ['messages', place, 'content'], content }, text, at);
    if (joined !== undefined) return joined;
  }
  const member = JSON.stringify({ role: 'system', content: text });
  return insertJson(source, { into: ['messages'], at: 'start', member });
};

export const systemRoles: ReadonlySet<string> = new Set(['system', 'developer']);

/** OpenAI chat completions, and what speaks like them. */
export const openaiChat: Dialect = {
  name: 'openai-chat',
  provider: 'openai',
  bodies: 'conversation',
  keys: llmKeys,
  readModel: (body, path) => textProperty(body, 'model') ?? readAzureModel(path),
  readCalls: () => [],
  requestSources: createRequestSources({
    system: [],
    tools: ['tools', 'functions', 'tool_choice', 'function_call', 'response_format'],
    turns: 'messages',
  }),
  answerSources,
  readRoles: (body) => readTurnRoles(body, 'messages'),
  addSystemText,
  // Of servers that speak this dialect.
  promptFields: ['prompt_logprobs', 'return_token_ids'],
  askForUsage: askForStreamUsage,
  readUsage: readChatUsage,

  readEvent(data): EventReading {
    if (data === '[DONE]') return { texts: [], usage: undefined, terminal: true };
    const texts: StreamText[] = [];
    if (typeof data !== 'object') return readRaw(data);
    const choices = listProperty(data, 'choices');
    for (const [place, choice] of choices.entries()) readChoiceTexts(choice, place, texts);
    collectWhole(data, [], texts, listNamed(data, 'choices'));
    const usage = readChatUsage(data);
    return { texts, usage, onlyUsage: usage !== undefined && choices.length === 0, terminal: false };
  },

  keyHeader: 'authorization',
  renderNativeError: renderOpenaiError,
  renderStreamError: renderOpenaiStreamError,
};
