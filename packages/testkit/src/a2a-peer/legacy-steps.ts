import { randomUUID } from 'node:crypto';
import type { Step } from './a2a-behaviour.ts';

interface About {
  readonly taskId: string;
  readonly contextId: string;
}

/** A step as an event of 0.2 and 0.3. */
export function legacyEvent(step: Step, about: About, userMessage: object): object {
  const say = (text: string) => ({
    kind: 'message',
    messageId: randomUUID(),
    role: 'agent',
    parts: [{ kind: 'text', text }],
    ...about,
  });
  const timestamp = new Date().toISOString();
  // An answer without a task has none to be about.
  if ('message' in step) return { ...say(step.message), taskId: undefined };
  if ('task' in step) {
    const { taskId: id, contextId } = about;
    return { kind: 'task', id, contextId, status: { state: step.task, timestamp }, history: [userMessage] };
  }
  if ('state' in step) {
    const message = step.says === undefined ? undefined : say(step.says);
    const final = !['submitted', 'working'].includes(step.state);
    return { kind: 'status-update', ...about, status: { state: step.state, message, timestamp }, final };
  }
  const artifact = { artifactId: 'answer', name: 'Answer', parts: [{ kind: 'text', text: step.artifact }] };
  return { kind: 'artifact-update', ...about, artifact, append: step.append, lastChunk: step.last };
}

interface LegacyMessage {
  readonly parts: readonly object[];
}

export const textOf = ({ parts }: LegacyMessage): string =>
  parts.map((part) => ('text' in part ? String(part.text) : '')).join('');
