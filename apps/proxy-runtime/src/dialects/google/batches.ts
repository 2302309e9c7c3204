import { listProperty, property } from '@portcullis/core/json/json-value';
import { anyJson } from '../any/any-json.ts';
import type { Dialect } from '../shared/dialect.ts';
import { sourcesWithin } from '../origins/request-sources.ts';
import { llmKeys } from '../shared/known-keys.ts';
import { gemini } from './generate-content.ts';

/** The name under which a field stands there: Google reads both spellings. */
const spelled = (value: unknown, ...names: readonly string[]): string =>
  names.find((name) => property(value, name) !== undefined) ?? '';

const geminiBatchSources = (body: unknown) => {
  const input = spelled(property(body, 'batch'), 'inputConfig', 'input_config');
  return sourcesWithin(['batch', input, 'requests', 'requests', '*', 'request'], gemini.requestSources)(body);
};

/** Gemini's batches, as far as their requests do not stand in a file. */
export const geminiBatches: Dialect = {
  ...anyJson,
  bodies: 'conversation',
  requestSources: geminiBatchSources,
  keys: llmKeys,
  batch: {
    dialect: gemini,
    places(body) {
      const batch = property(body, 'batch');
      const input = spelled(batch, 'inputConfig', 'input_config');
      const requests = property(property(batch, input), 'requests');
      const way = ['batch', input, 'requests', 'requests'];
      return listProperty(requests, 'requests').map((_request, index) => [...way, index, 'request']);
    },
  },
  renderNativeError: gemini.renderNativeError,
};
