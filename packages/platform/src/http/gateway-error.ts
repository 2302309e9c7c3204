import type { Failure, OAuthFailure, Problem } from '@portcullis/contracts/envelope';
import type { PageAnswer } from './send-page.ts';
import { errorCatalogue, type ErrorEntry, type ErrorReason } from '@portcullis/contracts/errors';

interface GatewayErrorDetails {
  /** What to do about it, for a person. Never internals. */
  readonly message?: string;
  readonly problems?: readonly Problem[];
  readonly headers?: Readonly<Record<string, string>>;
  /** In place of the envelope, for a browser that asks for HTML. */
  readonly page?: PageAnswer;
  /** The code under which OAuth knows it, for routes that speak OAuth; that of the status unless given. */
  readonly oauth?: string;
  /** Rendered beside the failure, for the few answers that carry data although they fail. */
  readonly data?: unknown;
  /** What happened, for the log only. */
  readonly cause?: unknown;
}

/** The one way in which a handler refuses: a reason of the catalogue, rendered by the error funnel. */
export class GatewayError extends Error {
  readonly reason: ErrorReason;
  readonly details: GatewayErrorDetails;

  constructor(reason: ErrorReason, details: GatewayErrorDetails = {}) {
    super(details.message ?? errorCatalogue[reason].text, { cause: details.cause });
    this.name = 'GatewayError';
    this.reason = reason;
    this.details = details;
  }

  get entry(): ErrorEntry {
    return errorCatalogue[this.reason];
  }
}

/** The body of a failure where the client speaks OAuth (RFC 6749, 5.2). */
export function renderOAuthFailure({ entry, details }: GatewayError): OAuthFailure {
  const { message, problems = [], oauth } = details;
  const described = [message ?? entry.text, ...problems.slice(0, 5).map(({ path, rule }) => `${path} ${rule}`)].join(
    '; ',
  );
  // The characters that the standard lets a description have.
  const description = described.replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, "'");
  return { error: oauth ?? codeOf(entry.status), error_description: description };
}

const codeOf = (status: number): string =>
  status === 401
    ? 'invalid_client'
    : status === 429 || status === 503
      ? 'temporarily_unavailable'
      : oauthCodeOf(status);

const oauthCodeOf = (status: number): string => (status >= 500 ? 'server_error' : 'invalid_request');

/** The message of a failure with the first of its problems in it: many clients show nothing else of a body. */
export function failureMessage(
  message: string | undefined,
  problems: readonly Problem[] = [],
): { readonly message?: string } {
  const [first] = problems;
  if (first === undefined) return message === undefined ? {} : { message };
  const described = `${nameOf(first.path)} ${first.rule}`;
  if (message === undefined) return { message: described };
  return { message: message.includes(first.rule) ? message : `${message}: ${described}` };
}

const parts: ReadonlySet<string> = new Set(['body', 'query', 'params']);

/** Of a place in a request, as people write it. */
function nameOf(path: string): string {
  const [, ...names] = path.split('/').map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  const [part = '', ...within] = names;
  if (!parts.has(part)) return names.join('.');
  return within.length === 0 ? `The ${part}` : within.join('.');
}

/** The body of a failure. Only failures of ours carry the request id, so that they can be found in the log. */
export function renderFailure({ entry, details }: GatewayError, requestId: string): Failure {
  const { message, problems, data } = details;
  return {
    success: false,
    error: entry.text,
    error_code: entry.code,
    ...failureMessage(message, problems),
    ...(problems !== undefined && { problems: [...problems] }),
    ...(data !== undefined && { data }),
    ...(entry.status >= 500 && { request_id: requestId }),
  };
}
