import type { RenderedDenial } from './protocol.ts';

/** A refusal as OpenAI's error object. */
export const renderOpenaiError = ({ text, message, status, code, requestId }: RenderedDenial) => ({
  error: {
    message: message === undefined ? text : `${text}: ${message}`,
    type: status === 429 ? 'rate_limit_error' : status >= 500 ? 'server_error' : 'invalid_request_error',
    param: null,
    code: code.toLowerCase(),
    request_id: requestId,
  },
});
