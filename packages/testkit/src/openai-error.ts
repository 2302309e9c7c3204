import { InvalidQuestion } from './llm-dialect.ts';

/** https://platform.openai.com/docs/guides/error-codes */
export const renderOpenaiError = (status: number, message: string, parameter: string | null = null) => ({
  error: {
    message,
    type: status === 429 ? 'requests' : status >= 500 ? 'server_error' : 'invalid_request_error',
    param: parameter,
    code: status === 401 ? 'invalid_api_key' : status === 429 ? 'rate_limit_exceeded' : null,
  },
});

export const invalidType = (name: string, expected: string) =>
  new InvalidQuestion(`Invalid type for '${name}': expected ${expected}.`, name);
