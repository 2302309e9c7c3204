import { countProperty, listProperty, property } from '@portcullis/core/json/json-value';
import { createUsage } from '../../usage/usage.ts';
import type { Dialect } from '../shared/dialect.ts';

/**
 * What answers of Bedrock's InvokeModel tell in words of their own: Bedrock itself in the last chunk of a stream, models of Meta
 * and Amazon's Titan in their answers.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters.html
 */
export const readInvokeUsage: Dialect['readUsage'] = (answer) => {
  const metrics = property(answer, 'amazon-bedrock-invocationMetrics');
  if (typeof metrics === 'object' && metrics !== null) {
    const cachedInput = countProperty(metrics, 'cacheReadInputTokenCount');
    const cacheWrite = countProperty(metrics, 'cacheWriteInputTokenCount');
    return createUsage({
      model: undefined,
      input: countProperty(metrics, 'inputTokenCount') + cachedInput + cacheWrite,
      cachedInput,
      cacheWrite,
      output: countProperty(metrics, 'outputTokenCount'),
    });
  }
  if (typeof property(answer, 'prompt_token_count') === 'number') {
    const input = countProperty(answer, 'prompt_token_count');
    return createUsage({ model: undefined, input, output: countProperty(answer, 'generation_token_count') });
  }
  if (typeof property(answer, 'inputTextTokenCount') !== 'number') return undefined;
  const output = listProperty(answer, 'results').reduce<number>(
    (sum, one) => sum + countProperty(one, 'tokenCount'),
    0,
  );
  return createUsage({ model: undefined, input: countProperty(answer, 'inputTextTokenCount'), output });
};
