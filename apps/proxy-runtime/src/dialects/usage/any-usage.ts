import { property } from '@portcullis/core/json/json-value';
import { readAnthropicUsage } from './anthropic-usage.ts';
import { readChatUsage } from './chat-usage.ts';
import { readConverseUsage } from './converse-usage.ts';
import { readInvokeUsage } from './invoke-usage.ts';
import { readCohereUsage } from './cohere-usage.ts';
import type { Dialect } from '../shared/dialect.ts';
import { readGeminiUsage } from './gemini-usage.ts';
import { readInteractionUsage } from './interactions-usage.ts';
import { readOllamaUsage } from './ollama-usage.ts';
import { readResponsesUsage } from './responses-usage.ts';

type ReadUsage = Dialect['readUsage'];

/** By a field of `usage` that tells whose words these are, the surest first. */
const byField: readonly (readonly [field: string, read: ReadUsage])[] = [
  ['prompt_tokens', readChatUsage],
  ['inputTokens', readConverseUsage],
  ['total_input_tokens', readInteractionUsage],
  ['billed_units', readCohereUsage],
  ['tokens', readCohereUsage],
  ['cache_read_input_tokens', readAnthropicUsage],
  ['input_tokens', readResponsesUsage],
  ['output_tokens', readResponsesUsage],
];

/** Told without a `usage`. */
const others: readonly ReadUsage[] = [readOllamaUsage, readCohereUsage, readInvokeUsage, readGeminiUsage];

/** Where answers and events have what another form has at its top: Cloudflare a result, streams what has begun or ended. */
const wraps = ['result', 'message', 'response', 'interaction', 'metadata', 'delta'];

function readTop(answer: unknown): ReturnType<ReadUsage> {
  const usage = property(answer, 'usage');
  if (typeof usage === 'object' && usage !== null) {
    const found = byField.find(([field]) => property(usage, field) !== undefined);
    if (found !== undefined) return found[1](answer);
  }
  for (const read of others) {
    const reported = read(answer);
    if (reported !== undefined) return reported;
  }
  return undefined;
}

/**
 * Usage in the words of any known dialect: other paths of the same APIs, and other vendors, use them too. A test holds what is
 * read to the extractors of the price library.
 */
export const readAnyUsage: ReadUsage = (answer) => {
  const reported = readTop(answer);
  if (reported !== undefined) return reported;
  for (const wrap of wraps) {
    const inner = property(answer, wrap);
    const within = typeof inner === 'object' && inner !== null ? readTop(inner) : undefined;
    if (within !== undefined) return within;
  }
  return undefined;
};
