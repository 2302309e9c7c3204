import type { Failure, Problem } from '@portcullis/contracts/envelope';
import type { PageAnswer } from './bound-route.ts';
import { errorCatalogue, type ErrorEntry, type ErrorReason } from '@portcullis/contracts/errors';

interface GatewayErrorDetails {
  /** What to do about it, for a person. Never internals. */
  readonly message?: string;
  readonly problems?: readonly Problem[];
  readonly headers?: Readonly<Record<string, string>>;
  /** In place of the envelope, for a browser that asks for HTML. */
  readonly page?: PageAnswer;
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

/** The body of a failure. Only failures of ours carry the request id, so that they can be found in the log. */
export function renderFailure({ entry, details }: GatewayError, requestId: string): Failure {
  const { message, problems, data } = details;
  return {
    success: false,
    error: entry.text,
    error_code: entry.code,
    ...(message !== undefined && { message }),
    ...(problems !== undefined && { problems: [...problems] }),
    ...(data !== undefined && { data }),
    ...(entry.status >= 500 && { request_id: requestId }),
  };
}
