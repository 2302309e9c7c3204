import { countProperty, listProperty, property, textProperty } from '@portcullis/core/json/json-value';
import { createUsage } from '../../usage/usage.ts';
import type { Dialect } from '../shared/dialect.ts';

/**
 * Cached input is told beside the input, as the extractor of the price library has it, too.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_TokenUsage.html
 */
export const readConverseUsage: Dialect['readUsage'] = (answer) => {
  const usage = property(answer, 'usage');
  if (typeof usage !== 'object' || usage === null) return undefined;
  const cachedInput = countProperty(usage, 'cacheReadInputTokens');
  const cacheWrite = countProperty(usage, 'cacheWriteInputTokens');
  const kept = listProperty(usage, 'cacheDetails').find((detail) => textProperty(detail, 'ttl') === '1h');
  return createUsage({
    model: undefined,
    input: countProperty(usage, 'inputTokens') + cachedInput + cacheWrite,
    cachedInput,
    cacheWrite,
    longCacheWrite: countProperty(kept, 'inputTokens'),
    output: countProperty(usage, 'outputTokens'),
    total: countProperty(usage, 'totalTokens'),
  });
};
