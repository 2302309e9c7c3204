import { countProperty, listProperty, property, textProperty } from '@portcullis/core/json/json-value';
import { readStatedCost } from '../../usage/stated-cost.ts';
import { createUsage } from '../../usage/usage.ts';
import type { Dialect } from '../shared/dialect.ts';

/** OpenAI's responses, images and transcriptions. */
export const readResponsesUsage: Dialect['readUsage'] = (answer) => {
  const usage = property(answer, 'usage');
  if (typeof usage !== 'object' || usage === null) return undefined;
  // Transcriptions write the name in the singular.
  const read = property(usage, 'input_tokens_details') ?? property(usage, 'input_token_details');
  const written = property(usage, 'output_tokens_details') ?? property(usage, 'output_token_details');
  const media = (kind: 'audio' | 'image') => ({
    input: countProperty(read, `${kind}_tokens`),
    cachedInput: countProperty(property(read, 'cached_tokens_details'), `${kind}_tokens`),
    output: countProperty(written, `${kind}_tokens`),
  });
  const items = listProperty(answer, 'output');
  return createUsage({
    model: textProperty(answer, 'model'),
    input: countProperty(usage, 'input_tokens'),
    cachedInput: countProperty(read, 'cached_tokens'),
    cacheWrite: countProperty(read, 'cache_write_tokens'),
    output: countProperty(usage, 'output_tokens'),
    reasoning: countProperty(written, 'reasoning_tokens'),
    audio: media('audio'),
    image: media('image'),
    webSearches: items.filter(isWebSearch).length,
    fileSearches: items.filter((item) => textProperty(item, 'type') === 'file_search_call').length,
    total: countProperty(usage, 'total_tokens'),
    statedCost: readStatedCost(usage),
  });
};

/** Pages that are opened, and texts that are looked for in them, cost nothing apart. */
const isWebSearch = (item: unknown): boolean =>
  textProperty(item, 'type') === 'web_search_call' &&
  (textProperty(property(item, 'action'), 'type') ?? 'search') === 'search';
