import { describe, expect, test } from '@jest/globals';
import type { Invocation } from '../invocation/invocation.ts';
import type { TaskOwner } from '../tasks/stored-task.ts';
import { createFindTask, type FindTaskParts } from './find-task.ts';

/** Looks for a task, and answers whose it asked for. */
async function ownerAskedFor(operation: string, caller: object): Promise<readonly (TaskOwner | undefined)[]> {
  const asked: (TaskOwner | undefined)[] = [];
  const store = { find: async (_agent: number, owner?: TaskOwner) => void asked.push(owner) };
  const stage = createFindTask({ store, maxOpenTasks: 1 } as unknown as FindTaskParts);
  const call = { operation, id: 'a-task', message: { taskId: 'a-task' } };
  const invocation = { call, proxy: { id: 1 }, owner: 'group:7', ...caller } as unknown as Invocation;
  expect(await stage.run(invocation)).toMatchObject({ kind: 'deny', denial: { reason: 'task_not_found' } });
  return asked;
}

describe.each(['get', 'cancel', 'subscribe', 'send', 'stream'])('the task of a call: %s', (operation) => {
  test.each([
    ['a key', {}],
    ['a user', { user: { id: 3, role: 'operator' } }],
  ])('is looked for among those of its caller, %s', async (_who, caller) => {
    expect(await ownerAskedFor(operation, caller)).toEqual(['group:7']);
  });

  test('is looked for among all by an admin', async () => {
    expect(await ownerAskedFor(operation, { user: { id: 1, role: 'admin' } })).toEqual([undefined]);
  });
});
