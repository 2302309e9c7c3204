import { JsonChanges, spliceJson } from '@portcullis/core/json/splice-json';
import { DuplicateKey } from '@portcullis/core/json/visit-json-source';
import { NestedTooDeep } from '@portcullis/core/json/visit-strings';
import { callsOf } from '@portcullis/core/mcp/rpc-message';
import { deny, next, type RequestStage, type Verdict } from '@portcullis/core/pipeline/stage';
import { callerNumber } from '@portcullis/platform/traffic/caller-number';
import type { Exchange } from '../exchange/exchange.ts';
import { isStateless } from '../mcp/protocol-revision.ts';
import { updateMirroredHeaders } from '../mcp/update-mirrored-headers.ts';
import type { SessionSeals } from '../mcp/session-seals.ts';
import { tasksInRequest } from '../mcp/task-references.ts';

/**
 * Gives a server the ids of its tasks that it told the client of this key, and refuses those of another and those that were
 * told to no client: who knows the id of a task reads what came of it.
 */
export const createFollowTasks = (tasks: SessionSeals): RequestStage<Exchange> => ({
  name: 'follow-tasks',
  run(exchange): Verdict {
    const { json } = exchange;
    const keyId = callerNumber(exchange);
    if (json === undefined || keyId === undefined) return next;
    // A server that knows its clients by one credential lists the tasks of all. In a session it lists those of the session.
    if (exchange.session === undefined && callsOf(json).some(({ method }) => method === 'tasks/list')) {
      return deny('unknown_method');
    }
    const changes = new JsonChanges();
    for (const { path, taskId, isAsked } of tasksInRequest(json)) {
      const opened = tasks.open({ proxyId: exchange.proxy.id, keyId }, taskId);
      if (opened.kind === 'own') changes.set(path, false, opened.value);
      else if (isAsked) return deny(isRemoved(exchange) ? 'unknown_method' : unknownOf[opened.kind]);
    }
    return changes.size === 0 ? next : rewrite(exchange, changes);
  },
});

/** Clients of the revision without `tasks/result` are told that there is no such method, not that there is no such task. */
const isRemoved = ({ request, json }: Exchange): boolean =>
  isStateless(request.headers) && callsOf(json).every(({ method }) => method === 'tasks/result');

const unknownOf = { foreign: 'task_foreign', unknown: 'task_unknown' } as const;

function rewrite(exchange: Exchange, changes: JsonChanges): Verdict {
  const before = exchange.json;
  try {
    exchange.body.rewrite(spliceJson(exchange.body.text, changes));
  } catch (error) {
    if (!(error instanceof DuplicateKey || error instanceof NestedTooDeep)) throw error;
    return deny('bad_request', { message: error.message });
  }
  exchange.mirrored = updateMirroredHeaders(exchange.request.headers, before, exchange.json);
  return next;
}
