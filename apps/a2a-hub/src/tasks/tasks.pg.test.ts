import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { TaskState } from '@portcullis/core/a2a/task-state';
import type { Database } from '@portcullis/platform/database/database';
import { databaseKinds, openTestDatabase, silentLog } from '@portcullis/platform/test/test-database';
import { waitFor } from '@portcullis/testkit/wait-for';
import { insertAgent } from '../registry/agent-queries.ts';
import { cardColumns } from '../registry/card-columns.ts';
import { readAgentCard } from '../registry/read-agent-card.ts';
import { startExpiringTasks } from './expire-tasks.ts';
import { claimMessage, findMessage, forgetMessage } from './message-queries.ts';
import type { StoredTask } from './stored-task.ts';
import {
  countOpenTasks,
  findContext,
  findOpenByUpstream,
  findTask,
  findUpstreamIds,
  loadTaskPage,
  saveTask,
} from './task-queries.ts';

describe.each(databaseKinds)('the tasks of agents (%s)', (kind) => {
  let database: Database & AsyncDisposable;
  let agentId: number;
  let otherId: number;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(async () => database[Symbol.asyncDispose]());
  beforeEach(async () => {
    await database.kysely.deleteFrom('agents').execute();
    agentId = await addAgent('one');
    otherId = await addAgent('other');
  });

  const addAgent = async (name: string): Promise<number> => {
    const { read } = readAgentCard({ name, url: 'https://agent.example' });
    if (read === undefined) throw new Error('no card');
    return (await insertAgent(database, { name, ...cardColumns(read, new Date(0)) })).id;
  };
  const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
  const taskOf = (
    id: string,
    changes: Partial<StoredTask> & { state?: TaskState; contextId?: string } = {},
  ): StoredTask => {
    const { state = 'TASK_STATE_WORKING', contextId = `context of ${id}`, ...rest } = changes;
    return {
      agentId,
      owner: 'group:1',
      task: { id, contextId, status: { state }, metadata: { keepCase: 1 } },
      upstreamId: `up-${id}`,
      upstreamContextId: undefined,
      changedAt: at(0),
      ...rest,
    };
  };
  const save = (...tasks: StoredTask[]) => Promise.all(tasks.map((task) => saveTask(database, task)));

  test('are found by their owner at their agent, and otherwise by admins alone', async () => {
    const kept = taskOf('a');
    await save(kept);
    expect(await findTask(database, agentId, 'group:1', 'a')).toEqual(kept);
    expect(await findTask(database, agentId, undefined, 'a')).toEqual(kept);
    expect(await findTask(database, agentId, 'group:2', 'a')).toBeUndefined();
    expect(await findTask(database, otherId, 'group:1', 'a')).toBeUndefined();
    expect(await findTask(database, agentId, 'group:1', 'b')).toBeUndefined();
  });

  test('stay as they ended, and with their owner', async () => {
    await save(taskOf('a', { state: 'TASK_STATE_COMPLETED' }));
    await save(taskOf('a', { state: 'TASK_STATE_WORKING', changedAt: at(9) }));
    await save(taskOf('a', { state: 'TASK_STATE_COMPLETED', owner: 'group:2' }));
    const found = await findTask(database, agentId, undefined, 'a');
    expect(found).toMatchObject({
      owner: 'group:1',
      changedAt: at(0),
      task: { status: { state: 'TASK_STATE_COMPLETED' } },
    });
  });

  test('open ones are found by what their agent calls them, and counted', async () => {
    await save(taskOf('a'), taskOf('b', { state: 'TASK_STATE_FAILED' }), taskOf('c', { agentId: otherId }));
    expect((await findOpenByUpstream(database, agentId, 'up-a'))?.task.id).toBe('a');
    expect(await findOpenByUpstream(database, agentId, 'up-b')).toBeUndefined();
    expect(await findOpenByUpstream(database, agentId, 'up-c')).toBeUndefined();
    expect(await countOpenTasks(database, 'group:1')).toBe(2);
    expect(await countOpenTasks(database, 'group:2')).toBe(0);
  });

  test('their contexts and references are those of their owner', async () => {
    await save(
      taskOf('a', { contextId: 'ctx', upstreamContextId: 'up-ctx' }),
      taskOf('b', { contextId: 'ctx', upstreamId: undefined }),
    );
    expect(await findContext(database, agentId, 'group:1', 'ctx')).toEqual({ upstreamContextId: 'up-ctx' });
    expect(await findContext(database, agentId, 'group:2', 'ctx')).toBeUndefined();
    expect(await findContext(database, otherId, 'group:1', 'ctx')).toBeUndefined();
    expect(await findUpstreamIds(database, agentId, 'group:1', ['a', 'b', 'x'])).toEqual(
      new Map([
        ['a', 'up-a'],
        ['b', undefined],
      ]),
    );
    expect((await findUpstreamIds(database, agentId, 'group:2', ['a'])).size).toBe(0);
  });

  test('come in pages, those that changed last first', async () => {
    await save(...['a', 'b', 'c', 'd'].map((id, second) => taskOf(id, { changedAt: at(Math.min(second, 2)) })));
    await save(taskOf('e', { owner: 'group:2' }), taskOf('f', { agentId: otherId }));
    const page = async (
      ...args: Parameters<typeof loadTaskPage> extends [unknown, unknown, ...infer Rest] ? Rest : never
    ) => {
      const { tasks, total } = await loadTaskPage(database, agentId, ...args);
      return [tasks.map(({ task }) => task.id), total];
    };
    expect(await page('group:1', {}, { limit: 2 })).toEqual([['d', 'c'], 4]);
    expect(await page('group:1', {}, { limit: 2, behind: { changedAt: at(2), id: 'c' } })).toEqual([['b', 'a'], 4]);
    expect(await page('group:1', { contextId: 'context of b' }, { limit: 9 })).toEqual([['b'], 1]);
    expect(await page('group:1', { state: 'TASK_STATE_COMPLETED' }, { limit: 9 })).toEqual([[], 0]);
    expect(await page('group:1', { changedAfter: at(1) }, { limit: 9 })).toEqual([['d', 'c', 'b'], 3]);
    expect(await page(undefined, {}, { limit: 9 })).toEqual([['d', 'c', 'b', 'e', 'a'], 5]);
  });

  test('go with their agent', async () => {
    await save(taskOf('a'));
    await database.kysely.deleteFrom('agents').where('id', '=', agentId).execute();
    expect(await findTask(database, agentId, undefined, 'a')).toBeUndefined();
  });

  test('are forgotten when they did not change for long, like the names of old messages', async () => {
    await save(taskOf('old'), taskOf('new', { changedAt: new Date() }));
    await claimMessage(database, { agentId, owner: 'group:1', messageId: 'm' }, 'print');
    const keep = { keepMs: 3_600_000, keepMessagesMs: 0 };
    await using _ = startExpiringTasks({ database, log: silentLog, ...keep });
    const isGone = async () => (await findTask(database, agentId, undefined, 'old')) === undefined;
    await waitFor(isGone, { what: 'the old task to go' });
    const message = { agentId, owner: 'group:1', messageId: 'm' } as const;
    await waitFor(async () => (await findMessage(database, message)) === undefined, { what: 'the message to go' });
    expect(await findTask(database, agentId, undefined, 'new')).toBeDefined();
  });

  test('a message that its caller named is taken once', async () => {
    const key = { agentId, owner: 'group:1', messageId: 'm' } as const;
    const claims = await Promise.all(Array.from({ length: 8 }, () => claimMessage(database, key, 'print')));
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await claimMessage(database, { ...key, owner: 'group:2' }, 'print')).toBe(true);
    expect(await findMessage(database, key)).toEqual({ fingerprint: 'print', taskId: undefined });
    await forgetMessage(database, key);
    expect(await claimMessage(database, key, 'again')).toBe(true);
    await saveTask(database, taskOf('task'), key);
    await forgetMessage(database, key);
    expect(await findMessage(database, key)).toEqual({ fingerprint: 'again', taskId: 'task' });
  });
});
