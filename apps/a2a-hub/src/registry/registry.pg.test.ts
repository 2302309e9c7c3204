import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { stores, openTestDatabase } from '@portcullis/platform/test/test-database';
import type { Database } from '@portcullis/platform/database/database';
import { deleteAgentAccess, findAgentAccess, listAgentAccessRows, saveAgentAccess } from './agent-access-queries.ts';
import type { AgentStatus } from '@portcullis/contracts/routes/agents';
import {
  deleteAgentRow,
  findAgent,
  insertAgent,
  loadAgentPage,
  updateAgentRow,
} from '@portcullis/platform/agents/agent-queries';
import { loadScope } from '../agents/agent-scope.ts';
import { cardColumns } from '@portcullis/platform/agents/card-columns';
import { readAgentCard } from '@portcullis/platform/agents/read-agent-card';

describe.each(stores)('the registry of agents (%s)', (kind) => {
  let database: Database & AsyncDisposable;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(async () => database[Symbol.asyncDispose]());
  beforeEach(async () => {
    await database.kysely.deleteFrom('agents').execute();
    await database.kysely.deleteFrom('user_groups').execute();
  });

  const cardOf = (description: string) => {
    const { read } = readAgentCard({ name: 'Card', description, url: 'https://agent.example' });
    if (read === undefined) throw new Error('no card');
    return cardColumns(read, new Date('2026-01-01T00:00:00Z'));
  };
  const add = (name: string, status: AgentStatus = 'active', description = 'Plans ways') =>
    insertAgent(database, { name, status, ...cardOf(description) });
  const addGroup = async (name: string): Promise<number> => {
    const group = database.kysely.insertInto('user_groups').values({ name }).returning('id');
    return (await group.executeTakeFirstOrThrow()).id;
  };
  const namesOf = async (filter: Partial<Parameters<typeof loadAgentPage>[1]>) => {
    const { rows, total } = await loadAgentPage(database, { limit: 50, offset: 0, ...filter });
    return [rows.map(({ name }) => name), total];
  };

  test('keeps a card as it came and as it was read', async () => {
    const { id } = await add('Maps');
    expect(await findAgent(database, id)).toMatchObject({
      name: 'Maps',
      status: 'active',
      base_url: null,
      accepts_other_origins: false,
      card: {
        description: 'Plans ways',
        supportedInterfaces: [{ url: 'https://agent.example', protocolBinding: 'JSONRPC', protocolVersion: '0.2' }],
      },
      card_source: '{"name":"Card","description":"Plans ways","url":"https://agent.example"}',
      card_hash: expect.stringMatching(/^[\da-f]{64}$/),
      card_written_in: '0.2',
      card_read_at: new Date('2026-01-01T00:00:00Z'),
    });
  });

  test('a user reaches what those of their groups may that are active', async () => {
    const [ours, former] = [await addGroup('ours'), await addGroup('former')];
    await addGroup('theirs');
    await database.kysely.updateTable('user_groups').set({ active: false }).where('id', '=', former).execute();
    const user = { username: 'member', email: 'member@example.com', role: 'viewer', password_hash: 'none' } as const;
    const added = database.kysely.insertInto('users').values(user).returning('id');
    const { id } = await added.executeTakeFirstOrThrow();
    const groups = [ours, former].map((group) => ({ user_id: id, user_group_id: group }));
    await database.kysely.insertInto('user_group_members').values(groups).execute();
    expect(await loadScope(database, { kind: 'user', id, username: 'member', role: 'viewer' })).toEqual({
      groups: [ours],
    });
  });

  test('a key reaches the agents that its scope names', async () => {
    const group = await addGroup('scoped');
    const ids = [await add('plan_a'), await add('planXa'), await add('plan_b')].map(({ id }) => id);
    const access = ids.map((id) => ({ agent_id: id, user_group_id: group }));
    await database.kysely.insertInto('agent_access').values(access).execute();
    const reached = async (allowedAgents?: readonly string[]) => {
      const scope = await loadScope(database, {
        kind: 'api_key',
        id: 1,
        name: 'ci',
        groupId: group,
        ...(allowedAgents && { allowedAgents }),
      });
      const { rows } = await loadAgentPage(database, { scope, limit: 10, offset: 0 });
      return rows.map(({ name }) => name);
    };
    expect(await reached()).toEqual(['planXa', 'plan_a', 'plan_b']);
    expect(await reached(['plan_a'])).toEqual(['plan_a']);
    expect(await reached(['plan_*'])).toEqual(['plan_a', 'plan_b']);
    expect(await reached([])).toEqual([]);
  });

  test('finds by name and description, and in pages', async () => {
    await add('b', 'inactive', '50%_of it');
    await add('A');
    await add('c', 'maintenance');
    expect(await namesOf({})).toEqual([expect.arrayContaining(['A', 'b', 'c']), 3]);
    expect(await namesOf({ status: 'inactive' })).toEqual([['b'], 1]);
    expect(await namesOf({ search: 'PLANS' })).toEqual([expect.arrayContaining(['A', 'c']), 2]);
    expect(await namesOf({ search: '%_' })).toEqual([['b'], 1]);
    const [first] = await namesOf({ limit: 2 });
    const [second] = await namesOf({ limit: 2, offset: 2 });
    expect([...(first as string[]), ...(second as string[])].toSorted()).toEqual(['A', 'b', 'c']);
  });

  test('shows a user group only what it may use', async () => {
    const [maps, mail] = [await add('Maps'), await add('Mail')];
    const [ours, theirs] = [await addGroup('ours'), await addGroup('theirs')];
    await saveAgentAccess(database, maps.id, ours, {});
    await saveAgentAccess(database, mail.id, ours, { active: false });
    await saveAgentAccess(database, mail.id, theirs, {});
    expect(await namesOf({ scope: { groups: [ours] } })).toEqual([['Maps'], 1]);
    expect(await namesOf({ scope: { groups: [theirs] } })).toEqual([['Mail'], 1]);
    expect(await findAgent(database, maps.id, { groups: [ours] })).toMatchObject({ name: 'Maps' });
    expect(await findAgent(database, mail.id, { groups: [ours] })).toBeUndefined();
    expect(await findAgent(database, maps.id, { groups: [theirs] })).toBeUndefined();
  });

  test('has one agent of a name, in any case', async () => {
    const { id } = await add('Maps');
    await expect(add('mAPS')).rejects.toMatchObject({ code: '23505' });
    await add('Mail');
    await expect(updateAgentRow(database, id, { name: 'MAIL' })).rejects.toMatchObject({ code: '23505' });
  });

  test('changes what is given, and tells when there is nothing to change', async () => {
    const { id, created_at: createdAt } = await add('Maps');
    const changed = await updateAgentRow(database, id, { status: 'maintenance', ...cardOf('Plans detours') });
    expect(changed).toMatchObject({ name: 'Maps', status: 'maintenance', card: { description: 'Plans detours' } });
    expect(changed?.created_at).toEqual(createdAt);
    expect(changed?.updated_at.getTime()).toBeGreaterThanOrEqual(createdAt.getTime());
    expect(await updateAgentRow(database, id + 1_000, { status: 'active' })).toBeUndefined();
    await expect(updateAgentRow(database, id, { status: 'asleep' })).rejects.toMatchObject({ code: '23514' });
  });

  test('access is given once per group, and changed in its place', async () => {
    const [{ id: agentId }, groupId] = [await add('Maps'), await addGroup('ours')];
    const given = await saveAgentAccess(database, agentId, groupId, {});
    expect(given).toMatchObject({ rate_limit: 0, active: true, user_group_name: 'ours', user_group_id: groupId });
    const changed = await saveAgentAccess(database, agentId, groupId, { rate_limit: 7 });
    expect(changed).toMatchObject({ id: given.id, rate_limit: 7, active: true });
    await saveAgentAccess(database, agentId, groupId, { active: false });
    expect(await findAgentAccess(database, agentId, groupId)).toMatchObject({ rate_limit: 7, active: false });
    expect(await listAgentAccessRows(database, agentId)).toHaveLength(1);
    await expect(saveAgentAccess(database, agentId, groupId, { rate_limit: -1 })).rejects.toMatchObject({
      code: '23514',
    });
    await expect(saveAgentAccess(database, agentId, groupId + 1_000, {})).rejects.toMatchObject({ code: '23503' });
  });

  test('an entry is deleted through its own agent only', async () => {
    const [maps, mail, groupId] = [await add('Maps'), await add('Mail'), await addGroup('ours')];
    const { id } = await saveAgentAccess(database, maps.id, groupId, {});
    expect(await deleteAgentAccess(database, mail.id, id)).toBeUndefined();
    expect(await deleteAgentAccess(database, maps.id, id)).toMatchObject({ id, user_group_name: 'ours' });
    expect(await listAgentAccessRows(database, maps.id)).toEqual([]);
  });

  test('with an agent, or a user group, its entries go', async () => {
    const [{ id: agentId }, groupId] = [await add('Maps'), await addGroup('ours')];
    await saveAgentAccess(database, agentId, groupId, {});
    expect(await deleteAgentRow(database, agentId)).toMatchObject({ name: 'Maps' });
    expect(await deleteAgentRow(database, agentId)).toBeUndefined();
    const other = await add('Mail');
    await saveAgentAccess(database, other.id, groupId, {});
    await database.kysely.deleteFrom('user_groups').where('id', '=', groupId).execute();
    expect(await listAgentAccessRows(database, other.id)).toEqual([]);
  });
});
