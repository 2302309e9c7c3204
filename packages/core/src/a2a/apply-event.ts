import { a2aLimits } from './a2a-limits.ts';
import type { Artifact, ArtifactUpdate, Part, StreamEvent, Task } from './task.ts';
import { isTransitionAllowed, isTerminal } from './task-state.ts';

/** Why an event was not taken into a task. */
export type EventProblem = 'other_task' | 'task_ended' | 'impossible_state' | 'too_large';

export type Applied =
  | { readonly task: Task; readonly problem?: never }
  | { readonly problem: EventProblem; readonly task?: never };

/**
 * The task after an event of its stream. An event for another task, one behind the end, or one that makes the task grow
 * beyond its bounds changes nothing and is reported.
 */
export function applyEvent(task: Task, event: StreamEvent): Applied {
  if ('message' in event) {
    if (event.message.taskId !== undefined && event.message.taskId !== task.id) return { problem: 'other_task' };
    return addHistory(task, event.message);
  }
  const id =
    'task' in event ? event.task.id : 'statusUpdate' in event ? event.statusUpdate.taskId : event.artifactUpdate.taskId;
  if (id !== task.id) return { problem: 'other_task' };
  if ('artifactUpdate' in event) {
    return isTerminal(task.status.state) ? { problem: 'task_ended' } : applyArtifact(task, event.artifactUpdate);
  }
  const { status } = 'task' in event ? event.task : event.statusUpdate;
  if (isTerminal(task.status.state) && status.state !== task.status.state) return { problem: 'task_ended' };
  if (!isTransitionAllowed(task.status.state, status.state)) return { problem: 'impossible_state' };
  if ('task' in event) return { task: event.task };

  // What a status said before belongs to the history, as agents themselves keep it.
  const { message } = task.status;
  const moved: Task = { ...task, status, ...mergeMetadata(task, event.statusUpdate.metadata) };
  return message === undefined ? { task: moved } : addHistory(moved, message);
}

function addHistory(task: Task, message: NonNullable<Task['history']>[number]): Applied {
  const { history = [] } = task;
  if (history.some(({ messageId }) => messageId === message.messageId)) return { task };
  if (history.length >= a2aLimits.history) return { problem: 'too_large' };
  return { task: { ...task, history: [...history, message] } };
}

const mergeMetadata = (task: Task, more: Task['metadata']): Pick<Task, 'metadata'> =>
  more === undefined ? {} : { metadata: { ...task.metadata, ...more } };

function applyArtifact(task: Task, { artifact, append = false, metadata }: ArtifactUpdate): Applied {
  const { artifacts = [] } = task;
  const place = artifacts.findIndex(({ artifactId }) => artifactId === artifact.artifactId);
  const known = artifacts[place];
  if (known === undefined && artifacts.length >= a2aLimits.artifacts) return { problem: 'too_large' };
  const next: Artifact =
    known === undefined || !append
      ? artifact
      : { ...known, ...artifact, parts: joinParts(known.parts, artifact.parts) };
  if (next.parts.length > a2aLimits.parts) return { problem: 'too_large' };
  const all = known === undefined ? [...artifacts, next] : artifacts.with(place, next);
  return { task: { ...task, artifacts: all, ...mergeMetadata(task, metadata) } };
}

/** A text that goes on is one text: agents send a part for each word. */
function joinParts(before: readonly Part[], after: readonly Part[]): readonly Part[] {
  const [last, first] = [before.at(-1), after[0]];
  if (last === undefined || first === undefined || !isPlainText(last) || !isPlainText(first))
    return [...before, ...after];
  return [...before.slice(0, -1), { text: last.text + first.text }, ...after.slice(1)];
}

const isPlainText = (part: Part): part is { readonly text: string } => 'text' in part && Object.keys(part).length === 1;
