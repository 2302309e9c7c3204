import { objectOf } from '../json/json-object.ts';
import { a2aError, type A2aError } from './a2a-error.ts';
import { methodNames, pushMethods, type Call, type Operation } from './call.ts';
import { parseParams } from './parse-params.ts';

export type RpcId = string | number | null;

/** In which generation's words a caller speaks JSON-RPC: told by the name of the method. */
export type RpcDialect = 'current' | 'kind';

/** A request of JSON-RPC. One with an error is to be answered with that. */
export type RpcCall = { readonly id: RpcId; readonly dialect: RpcDialect } & (
  | { readonly call: Call; readonly error?: never }
  | { readonly error: A2aError; readonly call?: never }
);

const operations = new Map<string, readonly [Operation, RpcDialect]>(
  (Object.keys(methodNames) as Operation[]).flatMap((operation) => {
    const { current, legacy } = methodNames[operation];
    const inCurrent = [current, [operation, 'current']] as const;
    return legacy === undefined ? [inCurrent] : [inCurrent, [legacy, [operation, 'kind']] as const];
  }),
);

/** Reads the parsed body of a request to an agent, in the words of any generation. */
export function parseRpcCall(body: unknown): RpcCall {
  const request = objectOf(body);
  if (request === undefined) {
    const error = a2aError('INVALID_REQUEST', Array.isArray(body) ? 'Batches are not supported' : undefined);
    return { id: null, dialect: 'current', error };
  }
  const { jsonrpc, id: givenId, method, params } = request;
  const id = readId(givenId);
  const dialect = typeof method === 'string' && method.includes('/') ? 'kind' : 'current';
  if (jsonrpc !== '2.0' || typeof method !== 'string' || id === undefined) {
    return { id: id ?? null, dialect, error: a2aError('INVALID_REQUEST') };
  }
  if (pushMethods.has(method)) return { id, dialect, error: a2aError('PUSH_NOTIFICATION_NOT_SUPPORTED') };
  const [operation] = operations.get(method) ?? [];
  if (operation === undefined) return { id, dialect, error: a2aError('METHOD_NOT_FOUND') };
  const { value, problems } = parseParams(operation, params, { form: dialect });
  if (value === undefined) return { id, dialect, error: a2aError('INVALID_PARAMS', undefined, problems) };
  return { id, dialect, call: value };
}

/** A request without an id is answered all the same, as the kits of A2A do. Undefined for what is no id. */
function readId(id: unknown): RpcId | undefined {
  if (id === undefined || id === null) return null;
  if (typeof id === 'string') return id.length <= 256 ? id : undefined;
  return typeof id === 'number' && Number.isFinite(id) ? id : undefined;
}
