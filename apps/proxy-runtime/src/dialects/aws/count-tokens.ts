import { property } from '@portcullis/core/json/json-value';
import { nonInference } from '../any/non-inference.ts';
import type { Dialect } from '../shared/dialect.ts';
import { sourcesWithin } from '../origins/request-sources.ts';
import { bedrockConverse } from './converse.ts';
import { readBedrockModel } from '../shared/model-in-path.ts';

/** Counts what Converse would read. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_CountTokens.html */
export const bedrockCount: Dialect = {
  ...nonInference(bedrockConverse),
  readModel: (_body, path) => readBedrockModel(path),
  requestSources: (body) =>
    property(property(body, 'input'), 'converse') === undefined
      ? nonInference(bedrockConverse).requestSources(body)
      : sourcesWithin(['input', 'converse'], bedrockConverse.requestSources)(body),
};
