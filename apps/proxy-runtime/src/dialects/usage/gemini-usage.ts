import { countProperty, listProperty, property, textProperty } from '@portcullis/core/json/json-value';
import { createUsage } from '../../usage/usage.ts';
import type { Dialect } from '../shared/dialect.ts';

export const readGeminiUsage: Dialect['readUsage'] = (answer) => {
  const usage = property(answer, 'usageMetadata');
  if (typeof usage !== 'object' || usage === null) return undefined;
  const reasoning = countProperty(usage, 'thoughtsTokenCount');
  const media = (modality: string) => ({
    input:
      countModality(usage, 'promptTokensDetails', modality) +
      countModality(usage, 'toolUsePromptTokensDetails', modality),
    cachedInput: countModality(usage, 'cacheTokensDetails', modality),
    output: countModality(usage, 'candidatesTokensDetails', modality),
  });
  return createUsage({
    model: textProperty(answer, 'modelVersion'),
    input: countProperty(usage, 'promptTokenCount') + countProperty(usage, 'toolUsePromptTokenCount'),
    cachedInput: countProperty(usage, 'cachedContentTokenCount'),
    output: countProperty(usage, 'candidatesTokenCount') + reasoning,
    reasoning,
    audio: media('AUDIO'),
    image: media('IMAGE'),
    total: countProperty(usage, 'totalTokenCount'),
  });
};

/** Tokens of one modality in a list of them. */
const countModality = (usage: unknown, list: string, modality: string): number =>
  listProperty(usage, list)
    .filter((entry) => textProperty(entry, 'modality') === modality)
    .reduce<number>((sum, entry) => sum + countProperty(entry, 'tokenCount'), 0);
