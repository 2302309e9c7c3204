import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { TaskState } from '@portcullis/core/a2a/task-state';
import type { Database } from '@portcullis/platform/database/database';
import { stores, openTestDatabase, silentLog } from '@portcullis/platform/test/test-database';
import { waitFor } from '@portcullis/testkit/wait-for';
import { insertAgent } from '@portcullis/platform/agents/agent-queries';
import { cardColumns } from '@portcullis/platform/agents/card-columns';
import { readAgentCard } from '@portcullis/platform/agents/read-agent-card';
import { startExpiringTasks } from './expire-tasks.ts';
import { failSilentTasks } from './fail-silent-tasks.ts';
import { claimMessages, findMessage, forgetMessage, renewClaims, type MessageKey } from './message-queries.ts';
import type { StoredTask } from './stored-task.ts';
import {
  countOpenTasks,
  findContext,
  findOpenByUpstream,
  findTask,
  findUpstreamIds,
  loadTaskPage,
  saveAbandoned,
  saveTasks,
} from './task-queries.ts';

describe.each(stores)('the tasks of agents (%s)', (kind) => {
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
  const save = (...tasks: StoredTask[]) =>
    saveTasks(
      database,
      tasks.map((stored) => ({ stored })),
    );
  const claim = async (key: MessageKey, fingerprint: string) =>
    (await claimMessages(database, [{ ...key, fingerprint }]))[0];
  /** As if the hub that has it had ended long ago. */
  const lapse = () =>
    database.kysely
      .updateTable('agent_messages')
      .set({ claimed_until: at(0) })
      .execute();

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
    const keys = ['up-a', 'up-b', 'up-c', 'up-a'].map((upstreamId) => ({ agentId, upstreamId }));
    const found = await findOpenByUpstream(database, keys);
    expect(found.map((task) => task?.task.id)).toEqual(['a', undefined, undefined, 'a']);
    expect(await countOpenTasks(database, ['group:1', 'group:2', 'group:1'])).toEqual([2, 0, 2]);
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
    await claim({ agentId, owner: 'group:1', messageId: 'm' }, 'print');
    const keep = { keepMs: 3_600_000, keepMessagesMs: 0 };
    await using _ = startExpiringTasks({ database, log: silentLog, ...keep });
    const isGone = async () => (await findTask(database, agentId, undefined, 'old')) === undefined;
    await waitFor(isGone, { what: 'the old task to go' });
    const message = { agentId, owner: 'group:1', messageId: 'm' } as const;
    await waitFor(async () => (await findMessage(database, message)) === undefined, { what: 'the message to go' });
    expect(await findTask(database, agentId, undefined, 'new')).toBeDefined();
  });

  test('have failed when their agents were silent for long, before these are told to stop', async () => {
    const recent = taskOf('recent', { changedAt: new Date() });
    await save(taskOf('open'), recent, taskOf('done', { state: 'TASK_STATE_COMPLETED' }));
    await save(taskOf('ours', { upstreamId: undefined }));
    const cancelled: string[] = [];
    const parts = { database, log: silentLog, silentMs: 3_600_000 };
    const cancel = async (_: number, upstreamId: string): Promise<void> => {
      expect(await findTask(database, agentId, undefined, 'open')).toMatchObject({
        task: { status: { state: 'TASK_STATE_FAILED' } },
      });
      cancelled.push(upstreamId);
      throw new Error('the agent is away');
    };
    expect(await failSilentTasks({ ...parts, cancel })).toBe(2);
    expect(cancelled).toEqual(['up-open']);
    expect(await findTask(database, agentId, undefined, 'open')).toMatchObject({
      task: {
        id: 'open',
        status: { message: { role: 'ROLE_AGENT', parts: [{ text: expect.stringContaining('3600 seconds') }] } },
      },
    });
    expect(await findTask(database, agentId, undefined, 'done')).toMatchObject({
      task: { status: { state: 'TASK_STATE_COMPLETED' } },
    });
    expect(await findTask(database, agentId, undefined, 'recent')).toEqual(recent);
    expect(await countOpenTasks(database, ['group:1'])).toEqual([1]);
    // What the agent tells later does not bring it back.
    await save(taskOf('open', { state: 'TASK_STATE_WORKING', changedAt: new Date() }));
    expect(await findTask(database, agentId, undefined, 'open')).toMatchObject({
      task: { status: { state: 'TASK_STATE_FAILED' } },
    });
    expect(await failSilentTasks({ ...parts, cancel })).toBe(0);
  });

  test('a message that its caller named is taken once', async () => {
    const key = { agentId, owner: 'group:1', messageId: 'm' } as const;
    const eight = Array.from({ length: 8 }, () => ({ ...key, fingerprint: 'print' }));
    const [together, ...apart] = await Promise.all([claimMessages(database, eight), claim(key, 'x'), claim(key, 'y')]);
    expect([...together, ...apart].filter((isFirst) => isFirst === true)).toHaveLength(1);
    expect(await claim({ ...key, owner: 'group:2' }, 'print')).toBe(true);
    await forgetMessage(database, key);
    expect(await claim(key, 'again')).toBe(true);
    expect(await findMessage(database, key)).toEqual({ fingerprint: 'again', taskId: undefined, isAbandoned: false });
    await saveTasks(database, [{ stored: taskOf('other') }, { stored: taskOf('task'), message: key }]);
    await forgetMessage(database, key);
    expect(await findMessage(database, key)).toEqual({ fingerprint: 'again', taskId: 'task', isAbandoned: false });
    await lapse();
    expect(await findMessage(database, key)).toMatchObject({ taskId: 'task', isAbandoned: false });
  });

  test('a message whose hub has ended comes to one task, unless it said that it goes on', async () => {
    const [key, renewed] = ['m', 'n'].map((messageId) => ({ agentId, owner: 'group:1', messageId }) as const);
    if (key === undefined || renewed === undefined) throw new Error('no keys');
    await claim(key, 'print');
    await claim(renewed, 'print');
    const lost = (id: string) => taskOf(id, { state: 'TASK_STATE_FAILED' });
    expect(await saveAbandoned(database, { stored: lost('early'), message: key })).toBe(false);
    await lapse();
    await renewClaims(database, [renewed]);
    expect(await findMessage(database, renewed)).toMatchObject({ isAbandoned: false });
    expect(await findMessage(database, key)).toMatchObject({ isAbandoned: true });
    const taken = await Promise.all(
      ['one', 'two'].map((id) => saveAbandoned(database, { stored: lost(id), message: key })),
    );
    expect(taken.filter(Boolean)).toHaveLength(1);
    const { total, tasks } = await loadTaskPage(database, agentId, 'group:1', {}, { limit: 9 });
    expect([total, (await findMessage(database, key))?.taskId]).toEqual([1, tasks[0]?.task.id]);
    // What the hub knew all the same, and told later, counts.
    await saveTasks(database, [{ stored: taskOf('late', { state: 'TASK_STATE_COMPLETED' }), message: key }]);
    expect(await findMessage(database, key)).toMatchObject({ taskId: 'late' });
  });

  test('many saves are one statement, in which the latest of a task counts and what has ended stays', async () => {
    const working = taskOf('a', { changedAt: at(1) });
    const done = taskOf('a', { state: 'TASK_STATE_COMPLETED', changedAt: at(2) });
    const message = { agentId, owner: 'group:1', messageId: 'm' } as const;
    await claim(message, 'print');
    await saveTasks(database, [
      { stored: working, message },
      { stored: done },
      { stored: taskOf('a', { changedAt: at(3) }) },
      { stored: taskOf('b') },
      { stored: taskOf('of an agent that is gone', { agentId: 999_999 }) },
    ]);
    expect(await findTask(database, agentId, undefined, 'a')).toEqual(done);
    expect(await findMessage(database, message)).toMatchObject({ taskId: 'a' });
    expect((await loadTaskPage(database, agentId, undefined, {}, { limit: 9 })).total).toBe(2);
  });
});
