import { textProperty } from '@portcullis/core/json/json-value';
import { anyJson } from '../any/any-json.ts';
import type { Dialect } from '../shared/dialect.ts';
import { readCohereUsage } from '../usage/cohere-usage.ts';
import { cohereChat } from './chat.ts';

/** Cohere's embeddings. https://docs.cohere.com/reference/embed */
export const cohereEmbed: Dialect = {
  ...anyJson,
  provider: 'cohere',
  bodies: 'json',
  readModel: (body) => textProperty(body, 'model'),
  requestSources: () => (place) => (place[0] === 'texts' || place[0] === 'inputs' ? 'document' : 'user'),
  readUsage: readCohereUsage,
  renderNativeError: cohereChat.renderNativeError,
};
