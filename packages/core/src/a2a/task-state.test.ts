import { describe, expect, test } from '@jest/globals';
import { applyEvent } from './apply-event.ts';
import { completeMessage, messageOfTask } from './complete-message.ts';
import type { Message, StreamEvent, Task } from './task.ts';
import { isTransitionAllowed, findTaskState, isTerminal, taskStates, type TaskState } from './task-state.ts';

const says = (messageId: string, text: string, role: Message['role'] = 'ROLE_AGENT'): Message => ({
  messageId,
  role,
  parts: [{ text }],
});
const working: Task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } };
const moveTo = (state: TaskState, message?: Message): StreamEvent => ({
  statusUpdate: { taskId: 't', status: { state, ...(message && { message }) } },
});
const chunk = (text: string, append = true, more = {}): StreamEvent => ({
  artifactUpdate: { taskId: 't', artifact: { artifactId: 'a', parts: [{ text, ...more }] }, append },
});

describe('states', () => {
  test.each(['canceled', 'cancelled', 'TASK_STATE_CANCELED', 'TASK_STATE_CANCELLED'])(
    '%s is one of them',
    (written) => {
      expect(findTaskState(written)).toBe('TASK_STATE_CANCELED');
    },
  );

  test.each(['', 'CANCELED', 'toString', 'done'])('%p is none', (written) => {
    expect(findTaskState(written)).toBeUndefined();
  });

  test('an ended task stays as it ended', () => {
    for (const from of taskStates.filter(isTerminal))
      for (const to of taskStates) expect(isTransitionAllowed(from, to)).toBe(from === to);
  });

  test.each<[TaskState, TaskState, boolean]>([
    ['TASK_STATE_SUBMITTED', 'TASK_STATE_COMPLETED', true],
    ['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_WORKING', true],
    ['TASK_STATE_WORKING', 'TASK_STATE_WORKING', true],
    ['TASK_STATE_WORKING', 'TASK_STATE_SUBMITTED', false],
    ['TASK_STATE_WORKING', 'TASK_STATE_UNSPECIFIED', false],
    ['TASK_STATE_UNSPECIFIED', 'TASK_STATE_SUBMITTED', true],
  ])('from %s to %s: %p', (from, to, expected) => {
    expect(isTransitionAllowed(from, to)).toBe(expected);
  });
});

describe('events of a stream', () => {
  const play = (events: readonly StreamEvent[], from = working) =>
    events.reduce((task, event) => applyEvent(task, event).task ?? task, from);

  test('make up the task', () => {
    const task = play([
      moveTo('TASK_STATE_WORKING', says('m1', 'One moment')),
      chunk('Hel', false),
      chunk('lo'),
      chunk('!', true, { mediaType: 'text/plain' }),
      moveTo('TASK_STATE_COMPLETED', says('m2', 'Done')),
    ]);
    expect(task).toEqual({
      ...working,
      status: { state: 'TASK_STATE_COMPLETED', message: says('m2', 'Done') },
      artifacts: [{ artifactId: 'a', parts: [{ text: 'Hello' }, { text: '!', mediaType: 'text/plain' }] }],
      history: [says('m1', 'One moment')],
    });
  });

  test('replace an artifact that is not gone on with', () => {
    expect(play([chunk('a'), chunk('b', false)]).artifacts).toEqual([{ artifactId: 'a', parts: [{ text: 'b' }] }]);
  });

  test('words in thousands of pieces are one text', () => {
    const pieces = Array.from({ length: 3_000 }, () => chunk('x'));
    expect(play(pieces).artifacts?.[0]?.parts).toEqual([{ text: 'x'.repeat(3_000) }]);
  });

  test('a message is kept once', () => {
    const event: StreamEvent = { message: says('m', 'a') };
    expect(play([event, event]).history).toEqual([says('m', 'a')]);
  });

  test.each<[string, Task, StreamEvent]>([
    ['other_task', working, { task: { ...working, id: 'u' } }],
    ['other_task', working, { message: { ...says('m', 'x'), taskId: 'u' } }],
    ['task_ended', { ...working, status: { state: 'TASK_STATE_FAILED' } }, moveTo('TASK_STATE_WORKING')],
    ['task_ended', { ...working, status: { state: 'TASK_STATE_FAILED' } }, chunk('late')],
    ['impossible_state', working, moveTo('TASK_STATE_SUBMITTED')],
    [
      'too_large',
      { ...working, history: Array.from({ length: 1_000 }, (_, n) => says(`m${n}`, '')) },
      { message: says('x', '') },
    ],
    [
      'too_large',
      { ...working, artifacts: Array.from({ length: 1_000 }, (_, n) => ({ artifactId: `${n}`, parts: [] })) },
      chunk('x'),
    ],
  ])('%s: changes nothing', (problem, task, event) => {
    expect(applyEvent(task, event)).toEqual({ problem });
  });
});

describe('a message alone', () => {
  test('becomes a completed task', () => {
    const ids = { taskId: 'T', contextId: 'C', artifactId: 'A' };
    const [asked, reply] = [says('q', 'Why?', 'ROLE_USER'), says('r', 'So.')];
    const task = completeMessage(asked, reply, ids, '2026-01-01T00:00:00Z');
    expect(task).toMatchObject({
      id: 'T',
      contextId: 'C',
      status: { state: 'TASK_STATE_COMPLETED', timestamp: '2026-01-01T00:00:00Z' },
      artifacts: [{ artifactId: 'A', parts: [{ text: 'So.' }] }],
      history: [
        { messageId: 'q', taskId: 'T', contextId: 'C' },
        { messageId: 'r', taskId: 'T' },
      ],
    });
    expect(messageOfTask(task, 'x').parts).toEqual([{ text: 'So.' }]);
  });

  test.each<[Partial<Task>, string, string]>([
    [{ status: { state: 'TASK_STATE_FAILED', message: says('s', 'No way') } }, 's', 'No way'],
    [{ artifacts: [{ artifactId: 'a', parts: [{ text: 'made' }] }] }, 'new', 'made'],
    [
      {
        artifacts: [{ artifactId: 'a', parts: [{ text: 'made' }] }],
        status: { state: 'TASK_STATE_WORKING', message: says('s', 'busy') },
      },
      'new',
      'made',
    ],
    [{ history: [says('q', 'Why?', 'ROLE_USER'), says('h', 'Because')] }, 'h', 'Because'],
    [{ history: [says('q', 'Why?', 'ROLE_USER')] }, 'new', 'The task is working'],
  ])('is what a task says: %#', (change, messageId, text) => {
    const message = messageOfTask({ ...working, ...change }, 'new');
    expect(message).toMatchObject({ messageId, role: 'ROLE_AGENT', taskId: 't', contextId: 'c', parts: [{ text }] });
    expect(message.metadata).toHaveProperty('task_state');
  });
});
