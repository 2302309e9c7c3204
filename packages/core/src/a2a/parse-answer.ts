import { objectOf } from '../json/json-object.ts';
import { a2aError, type A2aError } from './a2a-error.ts';
import type { A2aVersion } from './agent-card.ts';
import type { Parsed } from './member-reader.ts';
import { parseHttpError, parseRpcError } from './parse-error.ts';
import type { WireForm } from './wire-form.ts';

/** What an agent answered. */
export type Answer<Value> =
  | { readonly value: Value; readonly error?: never }
  | { readonly error: A2aError; readonly value?: never };

type Read<Value> = (value: unknown, form: WireForm) => Parsed<Value>;

/**
 * Reads the parsed body of an answer of JSON-RPC, or of one event of a stream.
 * @param id of the request: an answer to another one is none
 */
export function parseRpcAnswer<Value>(
  body: unknown,
  { id, version, read }: { readonly id: string; readonly version: A2aVersion; readonly read: Read<Value> },
): Answer<Value> {
  const answer = objectOf(body);
  if (answer === undefined) return { error: invalid([{ path: '', rule: 'must be an object' }]) };
  if (answer['error'] !== undefined && answer['error'] !== null) return { error: parseRpcError(answer['error']) };
  if (answer['id'] !== id) return { error: invalid([{ path: '/id', rule: 'must be the one of the request' }]) };
  return checked(read(answer['result'], version === '1.0' ? 'current' : 'kind'), '/result');
}

/** Reads the parsed body of an answer over HTTP+JSON, or of one event of a stream. */
export function parseHttpAnswer<Value>(
  body: unknown,
  { status, version, read }: { readonly status: number; readonly version: A2aVersion; readonly read: Read<Value> },
): Answer<Value> {
  if (status < 200 || status > 299) return { error: parseHttpError(status, body) };
  return checked(read(body, version === '1.0' ? 'current' : 'draft'), '');
}

function checked<Value>({ value, problems }: Parsed<Value>, path: string): Answer<Value> {
  if (problems === undefined) return { value };
  return { error: invalid(problems.map((problem) => ({ ...problem, path: path + problem.path }))) };
}

const invalid = (problems: A2aError['problems']): A2aError => a2aError('INVALID_AGENT_RESPONSE', undefined, problems);
