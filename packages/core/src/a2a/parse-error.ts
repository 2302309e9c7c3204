import { objectOf, type JsonObject } from '../json/json-object.ts';
import { omitUndefined } from '../json/omit-undefined.ts';
import { a2aErrors, findReason, reasonOfCode, type A2aError, type A2aErrorReason } from './a2a-error.ts';

const maxMessageLength = 2_000;

/** The error under `error` in an answer of JSON-RPC. One that is none says so. */
export function parseRpcError(value: unknown): A2aError {
  const { code, message, data } = objectOf(value) ?? {};
  if (typeof code !== 'number' || !Number.isInteger(code)) return noError;
  return omitUndefined({
    code,
    message: textOf(message) ?? 'The agent gave no reason',
    reason: reasonIn(data) ?? reasonOfCode(code),
  });
}

/** The error in the body of a refusal over HTTP: `{error}` in 1.0, before the object itself. */
export function parseHttpError(status: number, body: unknown): A2aError {
  const outer = objectOf(body);
  const error = objectOf(outer?.['error']);
  if (error !== undefined) {
    const reason = reasonIn(error['details']) ?? reasonOfStatus(status);
    return { code: a2aErrors[reason].code, message: textOf(error['message']) ?? a2aErrors[reason].message, reason };
  }
  const code = outer?.['code'];
  if (typeof code === 'number' && code < 0) return parseRpcError(outer);
  const reason = reasonOfStatus(status);
  return { code: a2aErrors[reason].code, message: `The agent answered with the status ${status}`, reason };
}

const noError: A2aError = {
  code: a2aErrors.INVALID_AGENT_RESPONSE.code,
  message: a2aErrors.INVALID_AGENT_RESPONSE.message,
  reason: 'INVALID_AGENT_RESPONSE',
};

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, maxMessageLength) : undefined;

/** Since 1.0 a list of details, one of which names the reason. */
function reasonIn(details: unknown): A2aErrorReason | undefined {
  if (!Array.isArray(details)) return undefined;
  const infos = details.slice(0, 32).map((one): JsonObject => objectOf(one) ?? {});
  const found = infos.map(({ reason }) => (typeof reason === 'string' ? findReason(reason) : undefined));
  return found.find((reason) => reason !== undefined);
}

function reasonOfStatus(status: number): A2aErrorReason {
  if (status === 404) return 'TASK_NOT_FOUND';
  return status >= 400 && status < 500 ? 'INVALID_REQUEST' : 'INTERNAL_ERROR';
}
