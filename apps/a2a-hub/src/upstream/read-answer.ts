import type { A2aError } from '@portcullis/core/a2a/a2a-error';
import type { Parsed } from '@portcullis/core/a2a/member-reader';
import { parseHttpAnswer, parseRpcAnswer, type Answer } from '@portcullis/core/a2a/parse-answer';
import type { Route } from '@portcullis/core/a2a/protocol-version';
import type { WireForm } from '@portcullis/core/a2a/wire-form';
import { parseBoundedJson, TooManyValues } from '@portcullis/core/json/json-bounds';
import { objectOf } from '@portcullis/core/json/json-object';
import { NestedTooDeep } from '@portcullis/core/json/visit-strings';
import { AgentFailure } from './agent-failure.ts';

type Read<Value> = (value: unknown, form: WireForm) => Parsed<Value>;

/** To what an answer belongs, and how its value is read. */
export interface Reading<Value> {
  readonly route: Route;
  /** Of the request in JSON-RPC. */
  readonly id: string;
  readonly status: number;
  readonly read: Read<Value>;
}

/** Statuses with which a server says that it has no such endpoint, rather than what came of the request. */
const noEndpoint: ReadonlySet<number> = new Set([404, 405, 501]);

/** Reasons with which an agent refuses a request for its form, before it does anything. */
const refusedUnread: ReadonlySet<A2aError['reason']> = new Set(['VERSION_NOT_SUPPORTED', 'METHOD_NOT_FOUND']);

/** Reads the source of an answer, or of the data of one event. @throws {AgentFailure} */
export function readAnswer<Value>(source: string, { route, id, status, read }: Reading<Value>): Value {
  const body = parseJson(source, status);
  if (!isSuccess(status) && !saysError(body, route)) throw failedStatus(status);
  const { version } = route;
  const answer: Answer<Value> =
    route.binding === 'JSONRPC'
      ? parseRpcAnswer(body, { id, version, read })
      : parseHttpAnswer(body, { status, version, read });
  if (answer.error === undefined) return answer.value;
  throw describeFailure(answer.error, body, route);
}

/** What an agent sends in the middle of a stream. */
export function readErrorEvent(source: string, route: Route, id: string): AgentFailure {
  const body = objectOf(parseJson(source, 200)) ?? {};
  const inner = 'error' in body ? body : { id, error: body };
  const { error } = parseRpcAnswer(inner, { id, version: route.version, read: () => ({ problems: [] }) });
  return describeFailure(error ?? { code: 0, message: 'none' }, inner, route);
}

const isSuccess = (status: number): boolean => status >= 200 && status <= 299;

function parseJson(source: string, status: number): unknown {
  try {
    return parseBoundedJson(source);
  } catch (error) {
    if (!isSuccess(status)) throw failedStatus(status);
    if (error instanceof TooManyValues) throw new AgentFailure('too_large', error.message);
    if (error instanceof NestedTooDeep) throw new AgentFailure('nonsense', error.message);
    throw new AgentFailure('nonsense', 'The agent answered what is not JSON');
  }
}

/** Whether the body of an answer without success says why in the words of the protocol. */
function saysError(body: unknown, { binding }: Route): boolean {
  const outer = objectOf(body) ?? {};
  const inner = objectOf(outer['error']);
  if (binding === 'JSONRPC') return Number.isInteger(inner?.['code']);
  return Number.isInteger(inner?.['code']) || (Number.isInteger(outer['code']) && Number(outer['code']) < 0);
}

const failedStatus = (status: number): AgentFailure =>
  new AgentFailure('status', `The agent answered with the status ${status}`, { untouched: noEndpoint.has(status) });

/** An error that the agent reported, or the one that our reader has with its answer. */
function describeFailure(error: A2aError, body: unknown, { binding }: Route): AgentFailure {
  const isOurs = error.reason === 'INVALID_AGENT_RESPONSE' && (error.problems !== undefined || !tellsError(body));
  if (isOurs) {
    const where = error.problems?.map(({ path, rule }) => `${path} ${rule}`).join('; ') ?? error.message;
    return new AgentFailure('nonsense', `The answer of the agent cannot be read over ${binding}: ${where}`);
  }
  const untouched = refusedUnread.has(error.reason);
  return new AgentFailure('error', `The agent answered ${error.code}: ${error.message}`, { error, untouched });
}

const tellsError = (body: unknown): boolean => Number.isInteger(objectOf(objectOf(body)?.['error'])?.['code']);
