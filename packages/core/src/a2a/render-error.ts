import type { JsonObject } from '../json/json-object.ts';
import { a2aErrors, type A2aError } from './a2a-error.ts';
import type { A2aVersion } from './agent-card.ts';

const errorInfoType = 'type.googleapis.com/google.rpc.ErrorInfo';
const badRequestType = 'type.googleapis.com/google.rpc.BadRequest';
const a2aErrorDomain = 'a2a-protocol.org';

/** Codes that came with 1.0, as an earlier client knows such a thing. */
const legacyCodes: ReadonlyMap<number, number> = new Map([
  [a2aErrors.EXTENSION_SUPPORT_REQUIRED.code, a2aErrors.UNSUPPORTED_OPERATION.code],
  [a2aErrors.VERSION_NOT_SUPPORTED.code, a2aErrors.INVALID_REQUEST.code],
]);

/** What stands under `error` in an answer of JSON-RPC. */
export function renderRpcError(error: A2aError, version: A2aVersion): JsonObject {
  const { code, message } = error;
  const details = detailsOf(error);
  if (version === '1.0') return { code, message, ...(details.length > 0 && { data: details }) };
  return {
    code: legacyCodes.get(code) ?? code,
    message,
    ...(error.problems && { data: { problems: error.problems } }),
  };
}

/** Status and body of an error over HTTP+JSON. */
export function renderHttpError(
  error: A2aError,
  version: A2aVersion,
): { readonly status: number; readonly body: JsonObject } {
  const { httpStatus: status, grpcStatus } = a2aErrors[error.reason ?? 'INTERNAL_ERROR'];
  if (version !== '1.0') return { status, body: renderRpcError(error, version) };
  return {
    status,
    body: { error: { code: status, status: grpcStatus, message: error.message, details: detailsOf(error) } },
  };
}

function detailsOf({ reason, problems }: A2aError): JsonObject[] {
  const info = reason && { '@type': errorInfoType, reason, domain: a2aErrorDomain };
  const violations = problems?.map(({ path, rule }) => ({ field: path, description: rule }));
  return [
    ...(info === undefined ? [] : [info]),
    ...(violations === undefined ? [] : [{ '@type': badRequestType, fieldViolations: violations }]),
  ];
}
