import type { RenderedDenial } from '../shared/dialect.ts';
import { denialSentence } from '../shared/denial-sentence.ts';

/** The exception of an AWS service that says the same as a status. */
const exceptionOf = (status: number): string => {
  if (status === 401 || status === 403) return 'AccessDeniedException';
  if (status === 429) return 'ThrottlingException';
  return status >= 500 ? 'InternalServerException' : 'ValidationException';
};

/** A refusal as AWS services write one: clients read `message`, and the kind from `__type`. */
export const renderAwsError = (denial: RenderedDenial) => ({
  __type: exceptionOf(denial.status),
  message: denialSentence(denial),
  error: { code: denial.code.toLowerCase(), request_id: denial.requestId },
});
