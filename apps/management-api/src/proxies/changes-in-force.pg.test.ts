import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createProxy } from '@portcullis/contracts/routes/proxies';
import { randomUUID } from 'node:crypto';
import { fakeCalendar } from '@portcullis/testkit/fake-timers';
import { followDesiredState, insertHeartbeat, type RuntimeRows } from '../../test/follow-desired-state.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';
import { countRuntimes } from '@portcullis/platform/runtimes/count-runtimes';
import { allAgents, saveRevision } from '@portcullis/platform/runtimes/revision-report';
import { createAwaitChange } from '@portcullis/platform/runtimes/await-change';
import { createStateReports } from '@portcullis/platform/runtimes/state-reports';

describe.each(stores)('changes in force (%s)', (store) => {
  let management: TestManagement;
  let runtime: RuntimeRows | undefined;
  beforeAll(async () => {
    management = await startManagement(store);
  });
  afterAll(() => management.stop());
  afterEach(async () => {
    await runtime?.[Symbol.asyncDispose]();
    runtime = undefined;
  });

  const database = () => management.infrastructure.database;
  const latest = async () =>
    (
      await database()
        .kysely.selectFrom('config_changes')
        .select('revision')
        .orderBy('revision', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow()
    ).revision;
  let port = 22_000;
  const create = () => {
    port += 1;
    const body = { name: `proxy-${port}`, type: 'llm', target: 'http://127.0.0.1:9', port } as const;
    return management.admin.data(createProxy, { body });
  };
  const assign = async (id: number): Promise<unknown> => {
    const response = await fetch(`${management.origin}/api/v1/proxies/${id}/policies`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${management.adminToken}` },
      body: JSON.stringify({ policy_names: ['llm-security'] }),
    });
    return response.json();
  };

  test('a change is answered when every live runtime has it', async () => {
    runtime = await followDesiredState(database());
    const { id } = await create();
    expect(await assign(id)).toMatchObject({ success: true, message: 'Policies assigned' });
    expect(await countRuntimes(database(), await latest())).toEqual({ live: 1, late: 0 });
  });

  describe('a hub', () => {
    const hub = { service: 'a2a-hub', instanceId: '' } as const;
    const beat = async (ageS?: number, instanceId: string = randomUUID()) => {
      await insertHeartbeat(database(), 'a2a-hub', instanceId, { ...(ageS !== undefined && { ageS }) });
      return { ...hub, instanceId };
    };
    const settle = async (revision: number, timeoutMs?: number) => {
      await using reports = createStateReports(database());
      return createAwaitChange({ database: database(), reports, ...(timeoutMs && { timeoutMs }) })(revision);
    };
    afterEach(async () => {
      await database().kysely.deleteFrom('service_instances').where('service', '=', 'a2a-hub').execute();
      await database().kysely.deleteFrom('runtime_revisions').execute();
    });

    test('is waited for as a runtime is, also where both are one process', async () => {
      runtime = await followDesiredState(database());
      await runtime.hang();
      const reporter = await beat(undefined, runtime.instanceId);
      const revision = await latest();
      await saveRevision(database(), { ...reporter, service: 'proxy-runtime' }, { revision, behind: new Set() });
      expect(await settle(revision, 50)).toMatchObject({ runtimes: 1 });
      const settled = settle(revision);
      await saveRevision(database(), reporter, { revision, behind: new Set() });
      expect(await settled).toBeUndefined();
    });

    test('holds up changes of policies and agents while it compiles policies, and a proxy that is behind none of agents', async () => {
      const reporter = await beat();
      const db = database().kysely;
      await db.insertInto('user_groups').values({ name: 'of the hub' }).execute();
      const group = await latest();
      await saveRevision(database(), reporter, { revision: group, behind: new Set([allAgents]) });
      expect(await settle(group, 50)).toBeUndefined();
      await db.updateTable('policies').set({ active: true }).where('name', '=', 'llm-security').execute();
      const policy = await latest();
      await db.insertInto('config_changes').values({ kind: 'agents', id: '1' }).execute();
      const agent = await latest();
      const say = (behind: number) =>
        saveRevision(database(), reporter, { revision: agent, behind: new Set([behind]) });
      await say(allAgents);
      expect(await settle(agent, 50)).toMatchObject({ runtimes: 1 });
      await say(7);
      expect(await settle(agent, 50)).toBeUndefined();
      await saveRevision(database(), reporter, { revision: policy, behind: new Set([allAgents]) });
      expect(await settle(policy, 50)).toMatchObject({ runtimes: 1 });
      await saveRevision(database(), reporter, { revision: policy, behind: new Set() });
      expect(await settle(policy, 50)).toBeUndefined();
    });

    test('that is dead is not waited for beyond its last sign of life', async () => {
      await beat(8);
      expect(await settle((await latest()) + 1, 60_000)).toBeUndefined();
    });
  });

  test('a change is answered at once while no runtime lives', async () => {
    const { id } = await create();
    expect(await assign(id)).not.toHaveProperty('pending');
  });

  test('a clock that is set back keeps no change waiting', async () => {
    runtime = await followDesiredState(database());
    await runtime.hang();
    await using reports = createStateReports(database());
    const settle = createAwaitChange({ database: database(), reports, timeoutMs: 50 });
    const settled = settle((await latest()) + 1);
    fakeCalendar(new Date(Date.now() - 10_800_000));
    try {
      expect(await settled).toMatchObject({ runtimes: 1 });
    } finally {
      jest.useRealTimers();
    }
  });

  test('a proxy that is behind holds up what concerns it or any proxy, and nothing else', async () => {
    runtime = await followDesiredState(database());
    const [late, other] = [await create(), await create()];
    await runtime.hang();
    const db = database().kysely;
    const isLate = async (change: () => Promise<unknown>) => {
      await change();
      const revision = await latest();
      await db
        .updateTable('runtime_revisions')
        .set({ revision, behind: [late.id] })
        .execute();
      return (await countRuntimes(database(), revision)).late === 1;
    };
    const assignTo = (id: number) => () =>
      db.insertInto('proxy_policies').values({ proxy_id: id, policy_name: 'x' }).execute();
    const group = () => db.insertInto('user_groups').values({ name: 'beside' }).execute();
    const edit = () => db.updateTable('policies').set({ active: true }).where('name', '=', 'llm-security').execute();
    const both = () =>
      db.transaction().execute(async (transaction) => {
        await transaction.updateTable('proxies').set({ enabled: true }).where('id', '=', late.id).execute();
        await transaction.insertInto('user_groups').values({ name: 'together' }).execute();
      });
    expect(await isLate(assignTo(late.id))).toBe(true);
    expect(await isLate(assignTo(other.id))).toBe(false);
    expect(await isLate(group)).toBe(false);
    expect(await isLate(edit)).toBe(true);
    expect(await isLate(both)).toBe(true);
    await db.updateTable('runtime_revisions').set({ behind: [] }).execute();
    expect(await countRuntimes(database(), await latest())).toEqual({ live: 1, late: 0 });
  });

  test('what some runtime does not take over in time is pending, and says what it waits for', async () => {
    runtime = await followDesiredState(database());
    await runtime.hang();
    await using reports = createStateReports(database());
    const settle = createAwaitChange({ database: database(), reports, timeoutMs: 50 });
    const revision = (await latest()) + 1;
    expect(await settle(revision)).toEqual({
      revision,
      runtimes: 1,
      message: expect.stringContaining('1 of 1 proxy runtimes and hubs do not have it in force yet'),
    });
  });
});
