import { expect, test } from '@jest/globals';
import type { Message, Task } from '@portcullis/core/a2a/task';
import { adoptEvent, adoptTask } from './adopt-task.ts';
import { cutHistory } from './cut-history.ts';

const ids = { taskId: 'ours', contextId: 'our-context', upstreamId: 'theirs' };
const said: Message = {
  messageId: 'm',
  role: 'ROLE_AGENT',
  parts: [{ data: { taskId: 'theirs' } }],
  taskId: 'theirs',
  contextId: 'their-context',
  referenceTaskIds: ['another'],
};
const task: Task = {
  id: 'theirs',
  contextId: 'their-context',
  status: { state: 'TASK_STATE_WORKING', message: said },
  history: [said, { ...said, messageId: 'n' }],
};
const ours = { messageId: 'm', role: 'ROLE_AGENT', parts: said.parts, taskId: 'ours', contextId: 'our-context' };

test('an agent never tells its own ids, and what is in parts stays', () => {
  const adopted = adoptTask(task, ids);
  expect(adopted).toEqual({
    id: 'ours',
    contextId: 'our-context',
    status: { state: 'TASK_STATE_WORKING', message: ours },
    history: [ours, { ...ours, messageId: 'n' }],
  });
});

test('events of the task are taken, those of others are not', () => {
  const status = { state: 'TASK_STATE_COMPLETED' } as const;
  const artifact = { artifactId: 'a', parts: [{ text: 'x' }] };
  const about = { taskId: 'theirs', contextId: 'their-context' };
  const known = { taskId: 'ours', contextId: 'our-context' };
  expect(adoptEvent({ task }, ids)).toEqual({ task: adoptTask(task, ids) });
  expect(adoptEvent({ message: said }, ids)).toEqual({ message: ours });
  expect(adoptEvent({ statusUpdate: { ...about, status } }, ids)).toEqual({ statusUpdate: { ...known, status } });
  expect(adoptEvent({ artifactUpdate: { ...about, artifact } }, ids)).toEqual({
    artifactUpdate: { ...known, artifact },
  });
  const foreign = { taskId: 'of-another', contextId: 'c' };
  expect(adoptEvent({ task: { ...task, id: 'of-another' } }, ids)).toBeUndefined();
  expect(adoptEvent({ message: { ...said, taskId: 'of-another' } }, ids)).toBeUndefined();
  expect(adoptEvent({ statusUpdate: { ...foreign, status } }, ids)).toBeUndefined();
  expect(adoptEvent({ artifactUpdate: { ...foreign, artifact } }, ids)).toBeUndefined();
});

test('of a history the latest messages are told', () => {
  expect(cutHistory(task, undefined)).toBe(task);
  expect(cutHistory(task, 1).history).toEqual([{ ...said, messageId: 'n' }]);
  expect(Object.keys(cutHistory(task, 0))).not.toContain('history');
});
