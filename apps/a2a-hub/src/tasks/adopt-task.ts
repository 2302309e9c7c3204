import { omitUndefined } from '@portcullis/core/json/omit-undefined';
import type { Message, StreamEvent, Task } from '@portcullis/core/a2a/task';

/** What a task is called by the gateway, and by the agent. */
export interface TaskIds {
  readonly taskId: string;
  readonly contextId: string;
  readonly upstreamId: string;
}

/** A message of a task with the gateway's ids. Other tasks that it refers to are the agent's own affair. */
const adoptMessage = (message: Message, { taskId, contextId }: Omit<TaskIds, 'upstreamId'>): Message =>
  omitUndefined({ ...message, taskId, contextId, referenceTaskIds: undefined });

/** A task of an agent with the gateway's ids. */
export function adoptTask(task: Task, ids: TaskIds): Task & { readonly contextId: string } {
  const { taskId: id, contextId } = ids;
  return omitUndefined({
    ...task,
    id,
    contextId,
    status: adoptStatus(task.status, ids),
    history: task.history?.map((message) => adoptMessage(message, ids)),
  });
}

const adoptStatus = (status: Task['status'], ids: TaskIds): Task['status'] =>
  status.message === undefined ? status : { ...status, message: adoptMessage(status.message, ids) };

/** An event of the stream of a task with the gateway's ids; undefined for one that is about another task. */
export function adoptEvent(event: StreamEvent, ids: TaskIds): StreamEvent | undefined {
  const { taskId, contextId, upstreamId } = ids;
  if ('task' in event) return event.task.id === upstreamId ? { task: adoptTask(event.task, ids) } : undefined;
  if ('message' in event) {
    const { taskId: named = upstreamId } = event.message;
    return named === upstreamId ? { message: adoptMessage(event.message, ids) } : undefined;
  }
  if ('statusUpdate' in event) {
    const { statusUpdate } = event;
    if (statusUpdate.taskId !== upstreamId) return undefined;
    return { statusUpdate: { ...statusUpdate, taskId, contextId, status: adoptStatus(statusUpdate.status, ids) } };
  }
  const { artifactUpdate } = event;
  return artifactUpdate.taskId === upstreamId
    ? { artifactUpdate: { ...artifactUpdate, taskId, contextId } }
    : undefined;
}
