import { errorCatalogue, type ErrorReason } from '@portcullis/contracts/errors';
import { a2aErrors, type A2aError, type A2aErrorReason } from '@portcullis/core/a2a/a2a-error';
import type { A2aVersion } from '@portcullis/core/a2a/agent-card';
import { renderRpcError } from '@portcullis/core/a2a/render-error';
import type { Failure } from './surface.ts';

/** The text that stands under `error` in the REST API. */
export const failureText = ({ reason, limit }: Failure): string =>
  reason === 'rate_limited' && limit !== undefined
    ? `rate limit exceeded: ${limit} requests per minute`
    : errorCatalogue[reason].text;

/** What the protocol calls failures of the gateway's own. */
const known: ReadonlyMap<ErrorReason, A2aErrorReason> = new Map([
  ['invalid_json', 'PARSE_ERROR'],
  ['ambiguous_json', 'INVALID_REQUEST'],
  ['bad_request', 'INVALID_PARAMS'],
  ['task_not_found', 'TASK_NOT_FOUND'],
  ['task_not_cancelable', 'TASK_NOT_CANCELABLE'],
  ['agent_invalid_answer', 'INVALID_AGENT_RESPONSE'],
  ['internal_error', 'INTERNAL_ERROR'],
]);

/** Outside of what JSON-RPC and A2A keep for themselves, but for the rate limit, whose code is specified. */
const ownCode = -32_000;
const ownDomain = 'portcullis';
const errorInfoType = 'type.googleapis.com/google.rpc.ErrorInfo';

/** The error of the protocol that a failure is; undefined for one that only the gateway knows. */
export function protocolError({ reason, error, message, problems }: Failure): A2aError | undefined {
  if (error !== undefined) return error;
  const name = known.get(reason);
  if (name === undefined) return undefined;
  return { code: a2aErrors[name].code, message: message ?? a2aErrors[name].message, reason: name, problems };
}

/** A failure as JSON-RPC renders it. */
export function rpcErrorOf(failure: Failure, version: A2aVersion): object {
  const error = protocolError(failure);
  if (error !== undefined) return renderRpcError(error, version);
  const { code } = errorCatalogue[failure.reason];
  const text = failureText(failure);
  const message = errorCatalogue[failure.reason].text;
  const data =
    version === '1.0'
      ? [{ '@type': errorInfoType, reason: code, domain: ownDomain, metadata: { text, request_id: failure.requestId } }]
      : text;
  return { code: ownCode, message, data };
}

/** The same as HTTP+JSON of 1.0 renders it. */
export function httpErrorOf(failure: Failure): { readonly status: number; readonly body: object } {
  const { code, status } = errorCatalogue[failure.reason];
  const message = failureText(failure);
  const details = [{ '@type': errorInfoType, reason: code, domain: ownDomain }];
  return { status, body: { error: { code: status, status: grpcStatuses.get(status) ?? 'UNKNOWN', message, details } } };
}

const grpcStatuses: ReadonlyMap<number, string> = new Map([
  [400, 'INVALID_ARGUMENT'],
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [409, 'ABORTED'],
  [429, 'RESOURCE_EXHAUSTED'],
  [500, 'INTERNAL'],
  [502, 'UNAVAILABLE'],
  [503, 'UNAVAILABLE'],
  [504, 'DEADLINE_EXCEEDED'],
]);
