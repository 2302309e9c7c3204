import type { ErrorReason } from '@portcullis/contracts/errors';
import { problemCode, problemText } from '@portcullis/platform/errors/problem';

/** What a failed call to a target comes to. */
export interface TargetFault {
  readonly reason: ErrorReason;
  /** For the log. */
  readonly problem: string;
  /** Whether the target is to blame, so that its circuit breaker should know. */
  readonly blamesTarget: boolean;
}

const timeouts = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']);
/** What was to be sent cannot be sent to anybody. */
const unsendable = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED', 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH']);
const refusedHere = new Set(['ERR_ADDRESS_REFUSED']);
/** The connection ended, by either side. */
const brokenOff = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/**
 * @param error as undici or the connector tells it
 * @param started the request, or a part of it, has gone to the target
 */
export function readTargetFault(error: Error, started: boolean): TargetFault {
  const code = problemCode(error) ?? '';
  const text = problemText(error);
  const problem = code === '' || text.includes(code) ? text : `${code}: ${text}`;
  if (unsendable.has(code)) return { reason: 'bad_request', problem, blamesTarget: false };
  if (refusedHere.has(code)) return { reason: 'target_unreachable', problem, blamesTarget: false };
  if (timeouts.has(code)) return { reason: 'target_timeout', problem, blamesTarget: true };
  return { reason: started ? 'target_failed' : 'target_unreachable', problem, blamesTarget: true };
}

const idempotent = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE']);

/**
 * Whether the same request may be sent once more after a connection ended without a byte of an
 * answer: when nothing of it had left, or when having it twice is the same as having it once. The
 * usual cause is a kept connection that the target closed at the same moment.
 */
export const mayRepeat = (error: Error, started: boolean, method: string): boolean =>
  brokenOff.has(problemCode(error) ?? '') && (!started || idempotent.has(method));
