import { a2aError, type A2aError } from './a2a-error.ts';
import type { Call, Operation } from './call.ts';
import { paramsOfQuery, parseParams } from './parse-params.ts';
import { objectOf } from '../json/json-object.ts';
import type { WireForm } from './wire-form.ts';

/** A request over HTTP+JSON. */
export interface HttpRequest {
  readonly method: string;
  /** Below the address of the agent, with its slash, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Parsed; undefined where there is none. */
  readonly body: unknown;
}

export type HttpCall = { readonly form: WireForm } & (
  | { readonly call: Call; readonly error?: never }
  | { readonly error: A2aError; readonly call?: never }
);

interface Pattern {
  readonly methods: readonly string[];
  readonly path: RegExp;
  readonly operation: Operation;
}

const patterns: readonly Pattern[] = [
  { methods: ['POST'], path: /^\/message:send$/, operation: 'send' },
  { methods: ['POST'], path: /^\/message:stream$/, operation: 'stream' },
  { methods: ['GET'], path: /^\/tasks$/, operation: 'list' },
  { methods: ['GET'], path: /^\/tasks\/([^/:]+)$/, operation: 'get' },
  { methods: ['POST'], path: /^\/tasks\/([^/:]+):cancel$/, operation: 'cancel' },
  // Its definition and its text name different methods.
  { methods: ['POST', 'GET'], path: /^\/tasks\/([^/:]+):subscribe$/, operation: 'subscribe' },
  { methods: ['GET'], path: /^\/(?:extendedAgentCard|card)$/, operation: 'extendedCard' },
];

const push = /^\/tasks\/[^/:]+\/pushNotificationConfigs(?:\/[^/]+)?$/;

/** Reads a request over HTTP+JSON: paths below `/v1` are those of 0.3. */
export function parseHttpCall({ method, path, query, body }: HttpRequest): HttpCall {
  const isDraft = path.startsWith('/v1/');
  const form: WireForm = isDraft ? 'draft' : 'current';
  const below = isDraft ? path.slice('/v1'.length) : path;
  if (push.test(below)) return { form, error: a2aError('PUSH_NOTIFICATION_NOT_SUPPORTED') };
  const pattern = patterns.find((one) => one.methods.includes(method) && one.path.test(below));
  if (pattern === undefined) return { form, error: a2aError('METHOD_NOT_FOUND') };

  const id = decode(pattern.path.exec(below)?.[1]);
  if (body !== undefined && objectOf(body) === undefined) return { form, error: a2aError('INVALID_PARAMS') };
  // The path says which task it is about.
  const params = { ...(method === 'GET' ? paramsOfQuery(query) : objectOf(body)), ...(id !== undefined && { id }) };
  const { value, problems } = parseParams(pattern.operation, params, { form });
  return value === undefined ? { form, error: a2aError('INVALID_PARAMS', undefined, problems) } : { form, call: value };
}

function decode(part: string | undefined): string | undefined {
  try {
    return part === undefined ? undefined : decodeURIComponent(part);
  } catch {
    return part;
  }
}
