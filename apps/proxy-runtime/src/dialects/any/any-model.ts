import { textProperty } from '@portcullis/core/json/json-value';
import type { Dialect } from '../shared/dialect.ts';
import { readAzureModel, readBedrockModel, readCloudflareModel, readGeminiModel } from '../shared/model-in-path.ts';

/** The model in a body or a path, wherever any API names it. */
export const readAnyModel: Dialect['readModel'] = (body, path) =>
  textProperty(body, 'model') ??
  readAzureModel(path) ??
  readCloudflareModel(path) ??
  readGeminiModel(path) ??
  readBedrockModel(path);
