import type { JsonObject } from '../json/json-object.ts';
import { omitUndefined } from '../json/omit-undefined.ts';
import { renderMessage, renderPart } from './render-message.ts';
import type { Artifact, SendResult, StreamEvent, Task, TaskPage, TaskStatus } from './task.ts';
import { isInterrupted, isTerminal, renderDraftState, renderLegacyState } from './task-state.ts';
import type { WireForm } from './wire-form.ts';

/** A task for a caller. Names of members are in snake case for `rest`; what is the sender's own stays as it is. */
export function renderTask(task: Task, form: WireForm): JsonObject {
  const { id, contextId, status, artifacts, history, metadata } = task;
  const parts = {
    status: renderStatus(status, form),
    artifacts: artifacts?.map((artifact) => renderArtifact(artifact, form)),
    history: history?.map((message) => renderMessage(message, form)),
    metadata,
  };
  switch (form) {
    case 'current':
    case 'draft':
      return omitUndefined({ id, contextId, ...parts });
    case 'kind':
      // There a context is asked for.
      return omitUndefined({ kind: 'task', id, contextId: contextId ?? id, ...parts });
    case 'rest':
      // Present when empty, so that a caller can go through them without asking.
      return {
        id,
        context_id: contextId ?? id,
        status: parts.status,
        artifacts: parts.artifacts ?? [],
        history: parts.history ?? [],
        metadata: metadata ?? {},
      };
  }
}

export const renderTaskPage = ({ tasks, nextPageToken, pageSize, totalSize }: TaskPage, form: WireForm): JsonObject => {
  const rendered = tasks.map((task) => renderTask(task, form));
  return form === 'rest'
    ? { tasks: rendered, next_page_token: nextPageToken, page_size: pageSize, total_size: totalSize }
    : { tasks: rendered, nextPageToken, pageSize, totalSize };
};

export const renderSendResult = (result: SendResult, form: WireForm): JsonObject => renderStreamEvent(result, form);

export function renderStreamEvent(event: StreamEvent, form: WireForm): JsonObject {
  if ('task' in event) return wrap('task', 'task', renderTask(event.task, form), form);
  if ('message' in event) return wrap('message', 'message', renderMessage(event.message, form), form);
  if ('statusUpdate' in event) {
    const { taskId, contextId, status, metadata } = event.statusUpdate;
    // Since 1.0 the state alone says whether anything follows.
    const final = form === 'current' ? undefined : isTerminal(status.state) || isInterrupted(status.state);
    return wrap(
      'statusUpdate',
      'status_update',
      omitUndefined({
        ...(form === 'kind' && { kind: 'status-update' }),
        ...renderIds(taskId, contextId, form),
        status: renderStatus(status, form),
        final,
        metadata,
      }),
      form,
    );
  }
  const { taskId, contextId, artifact, append, lastChunk, metadata } = event.artifactUpdate;
  const isLast = { [form === 'rest' ? 'last_chunk' : 'lastChunk']: lastChunk ?? false };
  return wrap(
    'artifactUpdate',
    'artifact_update',
    omitUndefined({
      ...(form === 'kind' && { kind: 'artifact-update' }),
      ...renderIds(taskId, contextId, form),
      artifact: renderArtifact(artifact, form),
      // Readers of other generations do not agree on what follows from their absence.
      ...(form === 'current' ? omitUndefined({ append, lastChunk }) : { append: append ?? false, ...isLast }),
      metadata,
    }),
    form,
  );
}

/** With `kind` an object says itself what it is, in the other forms the member does that holds it. */
const wrap = (name: string, snakeName: string, value: JsonObject, form: WireForm): JsonObject =>
  form === 'kind' ? value : { [form === 'rest' ? snakeName : name]: value };

function renderIds(taskId: string, contextId: string | undefined, form: WireForm): JsonObject {
  if (form === 'rest') return { task_id: taskId, context_id: contextId ?? taskId };
  return form === 'kind' ? { taskId, contextId: contextId ?? taskId } : omitUndefined({ taskId, contextId });
}

function renderStatus({ state, message, timestamp }: TaskStatus, form: WireForm): JsonObject {
  return omitUndefined({
    state: form === 'current' ? state : form === 'kind' ? renderLegacyState(state) : renderDraftState(state),
    message: message && renderMessage(message, form),
    timestamp,
  });
}

function renderArtifact(artifact: Artifact, form: WireForm): JsonObject {
  const parts = artifact.parts.map((part) => renderPart(part, form));
  const { artifactId, ...rest } = artifact;
  return form === 'rest' ? { artifact_id: artifactId, ...rest, parts } : { ...artifact, parts };
}
