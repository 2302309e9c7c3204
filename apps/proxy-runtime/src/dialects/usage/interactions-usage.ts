import { countProperty, listProperty, property, textProperty } from '@portcullis/core/json/json-value';
import { createUsage } from '../../usage/usage.ts';
import type { Dialect } from '../shared/dialect.ts';

/** Thoughts and what tools read are told beside the output and the input; only the total holds all of it. */
export const readInteractionUsage: Dialect['readUsage'] = (answer) => {
  const usage = property(answer, 'usage');
  if (typeof usage !== 'object' || usage === null) return undefined;
  const reasoning = countProperty(usage, 'total_thought_tokens');
  const media = (modality: string) => ({
    input:
      countModality(usage, 'input_tokens_by_modality', modality) +
      countModality(usage, 'tool_use_tokens_by_modality', modality),
    cachedInput: countModality(usage, 'cached_tokens_by_modality', modality),
    output: countModality(usage, 'output_tokens_by_modality', modality),
  });
  return createUsage({
    model: textProperty(answer, 'model'),
    input: countProperty(usage, 'total_input_tokens') + countProperty(usage, 'total_tool_use_tokens'),
    cachedInput: countProperty(usage, 'total_cached_tokens'),
    output: countProperty(usage, 'total_output_tokens') + reasoning,
    reasoning,
    audio: media('audio'),
    image: media('image'),
    total: countProperty(usage, 'total_tokens'),
  });
};

const countModality = (usage: unknown, list: string, modality: string): number =>
  listProperty(usage, list)
    .filter((entry) => textProperty(entry, 'modality')?.toLowerCase() === modality)
    .reduce<number>((sum, entry) => sum + countProperty(entry, 'tokens'), 0);
