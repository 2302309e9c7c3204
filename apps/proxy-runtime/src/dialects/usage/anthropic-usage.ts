import { countProperty, property, textProperty } from '@portcullis/core/json/json-value';
import { createUsage } from '../../usage/usage.ts';
import type { Dialect } from '../shared/dialect.ts';

export const readAnthropicUsage: Dialect['readUsage'] = (answer) => {
  const usage = property(answer, 'usage');
  if (typeof usage !== 'object' || usage === null) return undefined;
  const cachedInput = countProperty(usage, 'cache_read_input_tokens');
  const cacheWrite = countProperty(usage, 'cache_creation_input_tokens');
  return createUsage({
    model: textProperty(answer, 'model'),
    // This dialect tells what its cache did beside the input, not within it.
    input: countProperty(usage, 'input_tokens') + cachedInput + cacheWrite,
    cachedInput,
    cacheWrite,
    longCacheWrite: countProperty(property(usage, 'cache_creation'), 'ephemeral_1h_input_tokens'),
    output: countProperty(usage, 'output_tokens'),
    reasoning: countProperty(property(usage, 'output_tokens_details'), 'thinking_tokens'),
    webSearches: countProperty(property(usage, 'server_tool_use'), 'web_search_requests'),
  });
};
