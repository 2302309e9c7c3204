import { a2aError } from '@portcullis/core/a2a/a2a-error';
import { betweenArtifacts, messageOfTask } from '@portcullis/core/a2a/complete-message';
import { parseParams } from '@portcullis/core/a2a/parse-params';
import { parseRpcCall, type RpcId } from '@portcullis/core/a2a/parse-rpc-call';
import { renderMessage } from '@portcullis/core/a2a/render-message';
import { renderTask, renderTaskPage } from '@portcullis/core/a2a/render-task';
import type { StreamEvent, Task } from '@portcullis/core/a2a/task';
import { objectOf, type JsonObject } from '@portcullis/core/json/json-object';
import { omitUndefined } from '@portcullis/core/json/omit-undefined';
import { randomUUID } from 'node:crypto';
import { rpcErrorOf } from './failure-texts.ts';
import { acceptsEvents, namesMessage } from './rest-surface.ts';
import { rpcReplies } from './rpc-replies.ts';
import type { Failure, Outcome, Reading, Surface, SurfaceRequest, Replies } from './surface.ts';

/** The hub's own methods for calls, and those of the protocol with the agent's id as their tenant. */
export const hubSurface: Surface = {
  name: 'hub',
  mayBeEmpty: false,
  get replies() {
    return hubReplies(null);
  },
  read(request): Reading {
    const { method } = objectOf(request.body) ?? {};
    return method === 'agents/invoke' ? readInvocation(request) : readStandardCall(request.body);
  },
};

function readInvocation({ body, accept }: SurfaceRequest): Reading {
  const { id, params, jsonrpc } = objectOf(body) ?? {};
  const replies = hubReplies(idOf(id));
  if (jsonrpc !== '2.0') return { replies, failure: { reason: 'bad_request', error: a2aError('INVALID_REQUEST') } };
  const { agent_id: agentId, streaming = false, ...rest } = objectOf(params) ?? {};
  const problems = [
    ...(isAgentId(agentId) ? [] : [{ path: '/agent_id', rule: 'must be the id of an agent' }]),
    ...(typeof streaming === 'boolean' ? [] : [{ path: '/streaming', rule: 'must be true or false' }]),
  ];
  const operation = streaming === true || acceptsEvents(accept) ? 'stream' : 'send';
  const parsed = parseParams(operation, rest, { form: 'rest', messageId: randomUUID() });
  if (parsed.problems !== undefined) problems.push(...parsed.problems);
  if (parsed.value === undefined || problems.length > 0)
    return { replies, failure: { reason: 'bad_request', problems } };
  return { replies, asked: { agentId: agentId as number, call: parsed.value, isNamed: namesMessage(rest) } };
}

/** Standard methods reach an agent whose id is their tenant, as 1.0 provides for one address with many agents. */
function readStandardCall(body: unknown): Reading {
  const { id, dialect, call, error } = parseRpcCall(body);
  const replies = rpcReplies(id, dialect);
  if (call === undefined) return { replies, failure: { reason: 'bad_request', error } };
  const { tenant } = call;
  if (tenant === undefined || !/^\d{1,10}$/.test(tenant)) {
    const problems = [{ path: '/tenant', rule: 'must be the id of an agent; agents/list tells them' }];
    return { replies, failure: { reason: 'bad_request', problems } };
  }
  return { replies, asked: { agentId: Number(tenant), call, isNamed: true } };
}

const isAgentId = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0;

export const idOf = (id: unknown): RpcId => (typeof id === 'string' || typeof id === 'number' ? id : null);

/** The shapes of the specification's hub: messages and tasks with a kind, and every error in JSON-RPC. */
export function hubReplies(id: RpcId): Replies {
  const answer = (result: object): object => ({ jsonrpc: '2.0', id, result });
  const failed = (failure: Failure): object => ({
    jsonrpc: '2.0',
    id,
    error: rpcErrorOf(failure, '0.3'),
    request_id: failure.requestId,
  });
  let lastArtifact: string | undefined;
  return {
    version: undefined,
    outcome: (outcome) => ({ status: 200, body: answer(renderOutcome(outcome)) }),
    // A caller without an identity is told so by HTTP as well; all else is an answer of JSON-RPC.
    failure: (failure) => ({
      status: isUnknown(failure) ? 401 : 200,
      headers: failure.headers ?? {},
      body: failed(failure),
    }),
    event(event, task) {
      const artifact = 'artifactUpdate' in event ? event.artifactUpdate.artifact.artifactId : lastArtifact;
      const result = renderHubEvent(event, task, lastArtifact !== undefined && artifact !== lastArtifact);
      lastArtifact = artifact;
      return result && answer(result);
    },
    failedEvent: failed,
  };
}

const unknownCaller: ReadonlySet<Failure['reason']> = new Set([
  'key_missing',
  'key_unknown',
  'key_revoked',
  'key_expired',
  'group_inactive',
  'invalid_token',
  'unauthorized',
]);
const isUnknown = ({ reason }: Failure): boolean => unknownCaller.has(reason);

function renderOutcome(outcome: Outcome): object {
  switch (outcome.kind) {
    case 'sent':
      return renderMessage(outcome.message ?? messageOfTask(outcome.task, randomUUID()), 'kind');
    case 'task':
      return renderTask(outcome.task, 'kind');
    case 'page':
      return renderTaskPage(outcome.page, 'kind');
    case 'card':
      return outcome.card;
  }
}

/**
 * Only tasks and messages are sent: what moves a task is sent as the task it became, and what is added to an artifact as
 * a message with the new parts.
 */
function renderHubEvent(event: StreamEvent, task: Task | undefined, isAnother: boolean): JsonObject | undefined {
  if ('message' in event) return renderMessage(event.message, 'kind');
  if ('task' in event) return renderTask(event.task, 'kind');
  if ('statusUpdate' in event) return task && renderTask(task, 'kind');
  const { artifact, taskId, contextId } = event.artifactUpdate;
  const about = omitUndefined({ taskId, contextId });
  const parts = isAnother ? [betweenArtifacts, ...artifact.parts] : artifact.parts;
  return renderMessage({ messageId: randomUUID(), role: 'ROLE_AGENT', parts, ...about }, 'kind');
}
