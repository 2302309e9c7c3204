import { countProperty, property, textProperty } from '@portcullis/core/json/json-value';
import { readStatedCost } from '../../usage/stated-cost.ts';
import { createUsage } from '../../usage/usage.ts';
import type { Dialect } from '../shared/dialect.ts';

/** OpenAI's chat completions, and the words of many who speak like them. */
export const readChatUsage: Dialect['readUsage'] = (answer) => {
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
