import { deny, next, type RequestStage, type Verdict } from '@portcullis/core/pipeline/stage';
import { isTerminal } from '@portcullis/core/a2a/task-state';
import type { SendCall } from '@portcullis/core/a2a/call';
import { DatabaseUnavailable } from '@portcullis/platform/database/database-unavailable';
import { a2aError } from '@portcullis/core/a2a/a2a-error';
import type { Invocation } from '../invocation/invocation.ts';
import type { TaskStore } from '../tasks/task-store.ts';

export interface FindTaskParts {
  readonly store: TaskStore;
  /** Tasks of one owner that may be open at once. */
  readonly maxOpenTasks: number;
}

/**
 * Finds the task and the context that a call is about, among those of its owner, before anything goes to the agent: what
 * belongs to others is not found, like what does not exist.
 */
export const createFindTask = (parts: FindTaskParts): RequestStage<Invocation> => ({
  name: 'find-task',
  run(invocation) {
    const { call } = invocation;
    switch (call.operation) {
      case 'send':
      case 'stream':
        return findForMessage(invocation, call, parts).catch(denyWhileDatabaseAway);
      case 'get':
      case 'cancel':
      case 'subscribe':
        return findById(invocation, call.id, parts).catch(denyWhileDatabaseAway);
      case 'list':
      case 'extendedCard':
        return next;
    }
  },
});

async function findById(invocation: Invocation, id: string, { store }: FindTaskParts): Promise<Verdict> {
  const { proxy, owner, user } = invocation;
  const viewer = user?.role === 'admin' ? undefined : owner;
  invocation.task = await store.find(proxy.id, viewer, id);
  return invocation.task === undefined ? deny('task_not_found') : next;
}

async function findForMessage(invocation: Invocation, { message }: SendCall, parts: FindTaskParts): Promise<Verdict> {
  const { proxy, owner } = invocation;
  const { taskId, contextId, referenceTaskIds } = message;
  const { store, maxOpenTasks } = parts;
  if (owner === undefined) return deny('agent_access_denied');
  if (taskId !== undefined) {
    const found = await findById(invocation, taskId, parts);
    const { task } = invocation;
    if (found.kind !== 'next' || task === undefined) return found;
    if (contextId !== undefined && contextId !== task.task.contextId) return wrongContext();
    if (isTerminal(task.task.status.state)) {
      invocation.failure = { reason: 'bad_request', error: a2aError('UNSUPPORTED_OPERATION', 'The task has ended') };
      return deny('bad_request');
    }
    invocation.upstreamContextId = task.upstreamContextId;
  } else {
    if (contextId !== undefined) {
      // Clients name contexts themselves, too. The name is its owner's: that of another group's context begins a new one.
      const context = await store.findContext(proxy.id, owner, contextId);
      invocation.upstreamContextId = context?.upstreamContextId;
    }
    if (!(await store.mayBegin(owner, maxOpenTasks))) return deny('agent_tasks_exceeded');
  }
  if (referenceTaskIds === undefined) return next;
  const known = await store.findUpstreamIds(proxy.id, owner, referenceTaskIds);
  if (referenceTaskIds.some((id) => !known.has(id))) return deny('task_not_found');
  invocation.upstreamReferences = [...known.values()].flatMap((id) => id ?? []);
  return next;
}

/** What a call is about cannot be known while the database is away. */
export function denyWhileDatabaseAway(error: unknown): Verdict {
  if (error instanceof DatabaseUnavailable) return deny('service_unavailable');
  throw error;
}

const wrongContext = (): Verdict => deny('bad_request', { message: 'contextId is not that of the task' });
