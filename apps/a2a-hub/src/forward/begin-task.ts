import type { StreamEvent, Task } from '@portcullis/core/a2a/task';
import { AgentFailure } from '../upstream/agent-failure.ts';
import type { TaskIds } from '../tasks/adopt-task.ts';
import type { StoredTask } from '../tasks/stored-task.ts';
import type { TaskStore } from '../tasks/task-store.ts';
import type { Invocation } from '../invocation/invocation.ts';
import { makeId } from '../invocation/task-ids.ts';

/** A task under way: what it is called on both sides. */
export interface TaskInHand {
  readonly ids: TaskIds;
  readonly upstreamContextId: string | undefined;
}

/** The task of an event as the agent calls it; undefined for a message that belongs to none. */
export function upstreamIdOf(event: StreamEvent): string | undefined {
  if ('task' in event) return event.task.id;
  if ('message' in event) return event.message.taskId;
  return 'statusUpdate' in event ? event.statusUpdate.taskId : event.artifactUpdate.taskId;
}

const upstreamContextOf = (event: StreamEvent): string | undefined => {
  if ('task' in event) return event.task.contextId;
  if ('message' in event) return event.message.contextId;
  return 'statusUpdate' in event ? event.statusUpdate.contextId : event.artifactUpdate.contextId;
};

/**
 * Finds out which task of the gateway an agent answers with, or begins a new one.
 * @throws {AgentFailure} when the agent answers with an open task of another owner
 */
export async function beginTask(
  invocation: Invocation,
  event: StreamEvent,
  upstreamId: string,
  store: TaskStore,
): Promise<TaskInHand> {
  const { task: known, proxy, owner, call } = invocation;
  if (known?.upstreamId === upstreamId) return inHand(known, upstreamId);
  const open = await store.findOpenByUpstream(proxy.id, upstreamId);
  if (open !== undefined) {
    if (open.owner === owner) return inHand(open, upstreamId);
    invocation.foreignEvents += 1;
    throw new AgentFailure('nonsense', `The agent answered with the task ${upstreamId}, which another caller has open`);
  }
  const contextId = known?.task.contextId ?? ('message' in call ? call.message.contextId : undefined) ?? makeId();
  return {
    ids: { taskId: makeId(), contextId, upstreamId },
    upstreamContextId: upstreamContextOf(event) ?? invocation.upstreamContextId,
  };
}

const inHand = ({ task, upstreamContextId }: StoredTask, upstreamId: string): TaskInHand => ({
  ids: { taskId: task.id, contextId: task.contextId, upstreamId },
  upstreamContextId,
});

/** What is kept of a task as it is now. */
export function storedTask(invocation: Invocation, task: StoredTask['task'], hand: TaskInHand | undefined): StoredTask {
  const { proxy, owner } = invocation;
  if (owner === undefined) throw new Error('A task without an owner');
  return {
    agentId: proxy.id,
    // An admin who looks at a task of others does not take it over.
    owner: invocation.task?.task.id === task.id ? invocation.task.owner : owner,
    task,
    upstreamId: hand?.ids.upstreamId,
    upstreamContextId: hand?.upstreamContextId,
    changedAt: new Date(),
  };
}

/** A task that is known by its first event alone. */
export const emptyTask = ({ taskId, contextId }: TaskIds): Task & { readonly contextId: string } => ({
  id: taskId,
  contextId,
  status: { state: 'TASK_STATE_SUBMITTED' },
});
