import { AuthorizationResponseError, ResponseBodyError } from 'oauth4webapi';
import { problemText } from '../errors/problem.ts';

const maxLength = 300;

/**
 * What went wrong at a provider, on one line for admins. The library's errors carry answers with tokens in them, of which
 * nothing but what the provider says of its error is told.
 */
export function describeProviderProblem(error: unknown): string {
  if (error instanceof ResponseBodyError || error instanceof AuthorizationResponseError) {
    const status = error instanceof ResponseBodyError ? `${error.status} ` : '';
    const detail = error.error_description === undefined ? '' : `: ${error.error_description}`;
    return onOneLine(`The provider answered ${status}${error.error}${detail}`);
  }
  return onOneLine(`${problemText(error)}${causeOf(error)}`);
}

/** Says more than the library's own words; what a parser says quotes what it read. */
function causeOf(error: unknown): string {
  const cause = Error.isError(error) ? error.cause : undefined;
  if (cause instanceof SyntaxError) return ': it is no JSON';
  return Error.isError(cause) ? `: ${cause.message}` : '';
}

const onOneLine = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, maxLength);
