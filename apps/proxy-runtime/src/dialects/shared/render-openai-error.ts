import { denialSentence } from './denial-sentence.ts';
import type { RenderedDenial } from './dialect.ts';

/** A refusal as OpenAI's error object. */
export const renderOpenaiError = (denial: RenderedDenial) => ({
  error: {
    message: denialSentence(denial),
    type: errorType(denial.status),
    param: null,
    code: denial.code.toLowerCase(),
    request_id: denial.requestId,
  },
});

const errorType = (status: number): string => {
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
};

/** The same as an event of a stream. */
export const renderOpenaiStreamError = (denial: RenderedDenial): string =>
  `data: ${JSON.stringify(renderOpenaiError(denial))}\n\n`;
