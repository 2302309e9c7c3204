import { countProperty, property, textProperty } from '@portcullis/core/json/json-value';
import { createUsage } from '../../usage/usage.ts';
import type { Dialect } from '../shared/dialect.ts';

/**
 * Told at the top of a whole answer and of a stream's last line; of a prompt that was in the cache nothing is told.
 * https://docs.ollama.com/api/usage
 */
export const readOllamaUsage: Dialect['readUsage'] = (answer) => {
  const counts = ['prompt_eval_count', 'eval_count'].filter((name) => typeof property(answer, name) === 'number');
  if (counts.length === 0) return undefined;
  return createUsage({
    model: textProperty(answer, 'model'),
    input: countProperty(answer, 'prompt_eval_count'),
    output: countProperty(answer, 'eval_count'),
  });
};
