import { countProperty, property, textProperty } from '@portcullis/core/json/json-value';
import { createUsage } from '../../usage/usage.ts';
import type { Dialect } from '../shared/dialect.ts';

/**
 * What is billed counts before what was read: Cohere adds to prompts and does not charge for that.
 * Version 1 and embeddings tell it in `meta`. https://docs.cohere.com/reference/chat
 */
export const readCohereUsage: Dialect['readUsage'] = (answer) => {
  const usage = property(answer, 'usage') ?? property(answer, 'meta');
  const counts = property(usage, 'billed_units') ?? property(usage, 'tokens');
  const hasCounts = ['input_tokens', 'output_tokens'].some((name) => typeof property(counts, name) === 'number');
  if (!hasCounts) return undefined;
  return createUsage({
    model: textProperty(answer, 'model'),
    input: countProperty(counts, 'input_tokens'),
    cachedInput: countProperty(usage, 'cached_tokens'),
    output: countProperty(counts, 'output_tokens'),
  });
};
