import { property } from '@portcullis/core/json/json-value';
import { anthropicMessages } from '../anthropic/messages.ts';
import { readConverseUsage } from '../aws/converse.ts';
import { readInvokeUsage } from '../aws/invoke-usage.ts';
import { readCohereUsage } from '../cohere/chat.ts';
import type { Dialect } from '../dialect.ts';
import { gemini } from '../google/generate-content.ts';
import { readInteractionUsage } from '../google/interactions-usage.ts';
import { readOllamaUsage } from '../ollama/usage.ts';
import { openaiChat } from '../openai/chat.ts';
import { openaiResponses } from '../openai/responses.ts';

type ReadUsage = Dialect['readUsage'];

/** By a field of `usage` that tells whose words these are, the surest first. */
const byField: readonly (readonly [field: string, read: ReadUsage])[] = [
  ['prompt_tokens', openaiChat.readUsage],
  ['inputTokens', readConverseUsage],
  ['total_input_tokens', readInteractionUsage],
  ['billed_units', readCohereUsage],
  ['tokens', readCohereUsage],
  ['cache_read_input_tokens', anthropicMessages.readUsage],
  ['input_tokens', openaiResponses.readUsage],
  ['output_tokens', openaiResponses.readUsage],
];

/** Told without a `usage`. */
const others: readonly ReadUsage[] = [readOllamaUsage, readCohereUsage, readInvokeUsage, gemini.readUsage];

/** Where answers and events have what another form has at its top: Cloudflare a result, streams what has begun or ended. */
const wraps = ['result', 'message', 'response', 'interaction', 'metadata', 'delta'];

function readTop(answer: unknown): ReturnType<ReadUsage> {
  const usage = property(answer, 'usage');
  if (typeof usage === 'object' && usage !== null) {
    const found = byField.find(([field]) => property(usage, field) !== undefined);
    if (found !== undefined) return found[1](answer);
  }
  for (const read of others) {
    const told = read(answer);
    if (told !== undefined) return told;
  }
  return undefined;
}

/**
 * Usage in the words of any known dialect: other paths of the same APIs, and other vendors, use them too. A test holds what is
 * read to the extractors of the price library.
 */
export const readAnyUsage: ReadUsage = (answer) => {
  const told = readTop(answer);
  if (told !== undefined) return told;
  for (const wrap of wraps) {
    const inner = property(answer, wrap);
    const within = typeof inner === 'object' && inner !== null ? readTop(inner) : undefined;
    if (within !== undefined) return within;
  }
  return undefined;
};
