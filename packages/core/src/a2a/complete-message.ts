import { omitUndefined } from '../json/omit-undefined.ts';
import type { Message, Part, Task } from './task.ts';
import { isTerminal, renderLegacyState } from './task-state.ts';

/**
 * A completed task for an agent that answered with a message alone, so that callers always get a task and can ask for
 * it again.
 * @param ids of the gateway
 * @param now ISO 8601
 */
export function completeMessage(
  request: Message,
  reply: Message,
  ids: { readonly taskId: string; readonly contextId: string; readonly artifactId: string },
  now: string,
): Task {
  const { taskId, contextId, artifactId } = ids;
  const own = { taskId, contextId };
  return {
    id: taskId,
    contextId,
    status: { state: 'TASK_STATE_COMPLETED', timestamp: now },
    artifacts: [{ artifactId, parts: reply.parts }],
    history: [
      { ...request, ...own },
      { ...reply, ...own },
    ],
    metadata: { answered_with_message: true },
  };
}

/** Texts that an agent told apart must not become one that no policy has read. */
export const betweenArtifacts: Part = { text: '\n' };

/**
 * What a task says, as a message: how it ended, or what came of it, or the agent's latest words, or its state alone.
 * @param messageId for a message that the task does not have itself
 */
export function messageOfTask(task: Task, messageId: string): Message {
  const { status, artifacts = [], history = [] } = task;
  const state = renderLegacyState(status.state);
  const about = omitUndefined({ taskId: task.id, contextId: task.contextId });
  const said = (message: Message): Message => ({
    ...message,
    ...about,
    role: 'ROLE_AGENT',
    metadata: { ...message.metadata, task_state: state },
  });
  const make = (parts: readonly Part[]): Message => said({ messageId, role: 'ROLE_AGENT', parts });

  const last = status.message;
  if (last !== undefined && last.parts.length > 0 && (isTerminal(status.state) || artifacts.length === 0))
    return said(last);
  const made = artifacts.flatMap(({ parts }, index) => (index === 0 ? parts : [betweenArtifacts, ...parts]));
  if (made.length > 0) return make(made);
  const latest = history.findLast(({ role }) => role === 'ROLE_AGENT');
  return latest === undefined ? make([{ text: `The task is ${state}` }]) : said(latest);
}
