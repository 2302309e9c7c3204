import type { Dialect } from '../shared/dialect.ts';
import { anyJson } from './any-json.ts';

/**
 * Requests with the body of a conversation that no model goes on with: its tokens are counted, it is kept, or made
 * shorter. Their texts are by the same people; otherwise they are traffic of no dialect.
 */
export const nonInference = ({ requestSources, renderNativeError }: Dialect): Dialect => ({
  ...anyJson,
  bodies: 'json',
  isNonInference: true,
  requestSources,
  renderNativeError,
});
