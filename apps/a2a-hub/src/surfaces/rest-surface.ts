import { errorCatalogue } from '@portcullis/contracts/errors';
import type { RouteParts } from '@portcullis/contracts/route';
import { getAgentTask, listAgentTasks } from '@portcullis/contracts/routes/agent-tasks';
import type { Call, Operation } from '@portcullis/core/a2a/call';
import { snakeCase, type Parsed } from '@portcullis/core/a2a/member-reader';
import { paramsOfQuery, parseParams } from '@portcullis/core/a2a/parse-params';
import { renderMessage } from '@portcullis/core/a2a/render-message';
import { renderStreamEvent, renderTask, renderTaskPage } from '@portcullis/core/a2a/render-task';
import { failureMessage } from '@portcullis/platform/http/gateway-error';
import { objectOf } from '@portcullis/core/json/json-object';
import { omitUndefined } from '@portcullis/core/json/omit-undefined';
import { randomUUID } from 'node:crypto';
import { failureText, rpcErrorOf } from './failure-texts.ts';
import type { Failure, Outcome, Surface, SurfaceRequest, Replies } from './surface.ts';

interface Place {
  readonly method: string;
  readonly path: RegExp;
  readonly operation: Operation;
  /** Names of its query; unknown where it has none. */
  readonly query?: ReadonlySet<string>;
}

const namesOf = (schema: RouteParts['query']): ReadonlySet<string> =>
  new Set(Object.keys(objectOf(objectOf(schema)?.['properties']) ?? {}));

const places: readonly Place[] = [
  { method: 'POST', path: /^\/api\/v1\/agents\/(\d{1,10})\/invoke\/?$/i, operation: 'send' },
  {
    method: 'GET',
    path: /^\/api\/v1\/agents\/(\d{1,10})\/tasks\/?$/i,
    operation: 'list',
    query: namesOf(listAgentTasks.parts.query),
  },
  {
    method: 'GET',
    path: /^\/api\/v1\/agents\/(\d{1,10})\/tasks\/([^/]+)\/?$/i,
    operation: 'get',
    query: namesOf(getAgentTask.parts.query),
  },
  { method: 'POST', path: /^\/api\/v1\/agents\/(\d{1,10})\/tasks\/([^/]+)\/cancel\/?$/i, operation: 'cancel' },
];

/** Whether a request is one to the REST endpoints of invocation and tasks. */
export const isRestCall = (method: string, path: string): boolean =>
  places.some((place) => place.method === method && place.path.test(path));

/** The specification's own REST API: snake case out, every spelling in. */
export const restSurface: Surface = {
  name: 'rest',
  mayBeEmpty: true,
  get replies() {
    return restReplies;
  },
  read(request) {
    const place = places.find(({ method, path }) => method === request.method && path.test(request.path));
    const [, agent, task] = place?.path.exec(request.path) ?? [];
    if (place === undefined || agent === undefined) return { replies: restReplies, failure: { reason: 'not_found' } };
    const query = onlyKnown(request.query, place.query);
    const { value, problems } = readCall(place.operation, { ...request, query }, task);
    if (value === undefined) return { replies: restReplies, failure: { reason: 'bad_request', problems } };
    return {
      replies: restReplies,
      asked: { agentId: Number(agent), call: value, isNamed: namesMessage(request.body) },
    };
  },
};

/** What a query has beyond that is ignored, as on every route. */
const onlyKnown = (query: URLSearchParams, known: ReadonlySet<string> | undefined): URLSearchParams =>
  new URLSearchParams([...query].filter(([name]) => known?.has(snakeCase(name)) !== false));

function readCall(
  operation: Operation,
  { query, body, accept }: SurfaceRequest,
  task: string | undefined,
): Parsed<Call> {
  if (operation === 'send') return readInvocation(body, accept);
  const params = { ...paramsOfQuery(query), ...(task !== undefined && { id: decode(task) }) };
  return parseParams(operation, params, { form: 'rest' });
}

function readInvocation(body: unknown, accept: string): Parsed<Call> {
  const { streaming = false } = objectOf(body) ?? {};
  if (typeof streaming !== 'boolean') return { problems: [{ path: '/streaming', rule: 'must be true or false' }] };
  const streams = streaming || acceptsEvents(accept);
  return parseParams(streams ? 'stream' : 'send', body, { form: 'rest', messageId: randomUUID() });
}

/** Whether the caller has given the message an id of its own. */
export function namesMessage(params: unknown): boolean {
  const message = objectOf(objectOf(params)?.['message']) ?? {};
  return (message['messageId'] ?? message['message_id'] ?? '') !== '';
}

/** Streaming applies when the caller takes events, and nothing else by name. */
export const acceptsEvents = (accept: string): boolean => accept.trim().toLowerCase() === 'text/event-stream';

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const restReplies: Replies = {
  version: undefined,
  outcome: (outcome) => ({ status: 200, body: { success: true, data: renderOutcome(outcome) } }),
  failure(failure) {
    const { status, code } = errorCatalogue[failure.reason];
    const { message, problems, headers = {}, requestId } = failure;
    const body = omitUndefined({
      success: false,
      error: failureText(failure),
      error_code: code,
      ...failureMessage(message, problems),
      problems,
      request_id: requestId,
    });
    return { status, headers, body };
  },
  event: (event) => renderStreamEvent(event, 'rest'),
  failedEvent: (failure: Failure) => ({ jsonrpc: '2.0', id: null, error: rpcErrorOf(failure, '0.3') }),
};

function renderOutcome(outcome: Outcome): object {
  switch (outcome.kind) {
    case 'sent':
      return omitUndefined({
        task: renderTask(outcome.task, 'rest'),
        message: outcome.message && renderMessage(outcome.message, 'rest'),
      });
    case 'task':
      return renderTask(outcome.task, 'rest');
    case 'page':
      return renderTaskPage(outcome.page, 'rest');
    case 'card':
      return outcome.card;
  }
}
