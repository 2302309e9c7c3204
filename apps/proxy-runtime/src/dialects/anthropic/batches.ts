import { listProperty } from '@portcullis/core/json/json-value';
import { anyJson } from '../any/any-json.ts';
import type { Dialect } from '../shared/dialect.ts';
import { sourcesWithin } from '../origins/request-sources.ts';
import { llmKeys } from '../shared/known-keys.ts';
import { anthropicMessages } from './messages.ts';

/** Anthropic's message batches: each request of the list is a body as it could come alone. */
export const anthropicBatches: Dialect = {
  ...anyJson,
  bodies: 'conversation',
  requestSources: sourcesWithin(['requests', '*', 'params'], anthropicMessages.requestSources),
  keys: llmKeys,
  batch: {
    dialect: anthropicMessages,
    places: (body) => listProperty(body, 'requests').map((_request, index) => ['requests', index, 'params']),
  },
  renderNativeError: anthropicMessages.renderNativeError,
};
