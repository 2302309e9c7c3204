import { insertJson } from '@portcullis/core/json/insert-json';
import { answerSources } from '../origins/answer-sources.ts';
import { createRequestSources } from '../origins/request-sources.ts';
import { createUsage, type Usage } from '../../usage/usage.ts';
import { readStatedCost } from '../../usage/stated-cost.ts';
import { joinText } from '../shared/add-system-text.ts';
import { askForStreamUsage } from './stream-options.ts';
import { collectDeltas, collectWhole, listNamed, markSigned, readRaw } from '../shared/event-texts.ts';
import { countProperty, listProperty, property, textProperty } from '@portcullis/core/json/json-value';
import { renderOpenaiError } from './render-error.ts';
import { llmKeys } from '../shared/known-keys.ts';
import type { StreamText } from '@portcullis/platform/inspection/inspected-unit';
import type { EventReading, Dialect } from '../dialect.ts';
import { readTurnRoles } from '../shared/turns.ts';

const readUsage = (answer: unknown): Usage | undefined => {
  const usage = property(answer, 'usage');
  if (typeof usage !== 'object' || usage === null) return undefined;
  const input = countProperty(usage, 'prompt_tokens');
  const total = countProperty(usage, 'total_tokens');
  const [read, written] = [property(usage, 'prompt_tokens_details'), property(usage, 'completion_tokens_details')];
  const beside = readBeside(usage);
  return createUsage({
    model: textProperty(answer, 'model'),
    input,
    cachedInput: countProperty(read, 'cached_tokens') || readCachedBeside(usage),
    // OpenAI's and OpenRouter's word, and LiteLLM's.
    cacheWrite: countProperty(read, 'cache_write_tokens') || countProperty(usage, 'cache_creation_input_tokens'),
    longCacheWrite: countProperty(property(read, 'cache_creation_token_details'), 'ephemeral_1h_input_tokens'),
    // Some that speak this dialect tell what was thought only in the total.
    output: Math.max(countProperty(usage, 'completion_tokens') + beside.reasoning + beside.citation, total - input),
    reasoning: countProperty(written, 'reasoning_tokens') || beside.reasoning,
    citation: beside.citation,
    audio: {
      input: countProperty(read, 'audio_tokens'),
      // Not told: what is cached is taken for text first.
      cachedInput: 0,
      output: countProperty(written, 'audio_tokens'),
    },
    // Perplexity's.
    webSearches: countProperty(usage, 'num_search_queries'),
    total,
    statedCost: readStatedCost(usage),
  });
};

/** What was read from a cache as DeepSeek says it, Moonshot, and LiteLLM. */
const readCachedBeside = (usage: unknown): number =>
  countProperty(usage, 'prompt_cache_hit_tokens') ||
  countProperty(usage, 'cached_tokens') ||
  countProperty(usage, 'cache_read_input_tokens');

/** Perplexity tells what was thought and quoted beside the output: https://docs.perplexity.ai/getting-started/pricing */
const readBeside = (usage: unknown): { readonly reasoning: number; readonly citation: number } => {
  const citation = countProperty(usage, 'citation_tokens');
  const isPerplexity = citation > 0 || property(usage, 'num_search_queries') !== undefined;
  return isPerplexity ? { reasoning: countProperty(usage, 'reasoning_tokens'), citation } : nothingBeside;
};
const nothingBeside = { reasoning: 0, citation: 0 } as const;

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

/** Azure names the model in the path only. */
const deploymentIn = /\/deployments\/([^/]+)\//;

/** OpenAI chat completions, and what speaks like them. */
export const openaiChat: Dialect = {
  name: 'openai-chat',
  provider: 'openai',
  bodies: 'conversation',
  keys: llmKeys,
  readModel: (body, path) => textProperty(body, 'model') ?? deploymentIn.exec(path)?.[1],
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
  readUsage,

  readEvent(data): EventReading {
    if (data === '[DONE]') return { texts: [], usage: undefined, terminal: true };
    const texts: StreamText[] = [];
    if (typeof data !== 'object') return readRaw(data);
    const choices = listProperty(data, 'choices');
    for (const [place, choice] of choices.entries()) readChoiceTexts(choice, place, texts);
    collectWhole(data, [], texts, listNamed(data, 'choices'));
    const usage = readUsage(data);
    return { texts, usage, onlyUsage: usage !== undefined && choices.length === 0, terminal: false };
  },

  keyHeader: 'authorization',
  renderNativeError: renderOpenaiError,
  renderStreamError: (denial) => `data: ${JSON.stringify(renderOpenaiError(denial))}\n\n`,
};
