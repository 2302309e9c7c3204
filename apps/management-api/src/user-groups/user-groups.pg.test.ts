import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import {
  createApiKey,
  deleteApiKey,
  getApiKey,
  listApiKeys,
  revokeApiKey,
  updateApiKey,
} from '@portcullis/contracts/routes/api-keys';
import { login, me, usersMe } from '@portcullis/contracts/routes/auth';
import { addGroupMember, listGroupMembers, removeGroupMember } from '@portcullis/contracts/routes/group-members';
import { createProxy } from '@portcullis/contracts/routes/proxies';
import {
  grantGroupProxy,
  grantProxyAccess,
  listGroupProxies,
  listProxiesOfGroup,
  listProxyAccess,
  revokeProxyAccess,
  updateProxyAccess,
} from '@portcullis/contracts/routes/proxy-access';
import {
  createUserGroup,
  deleteUserGroup,
  getUserGroup,
  listUserGroups,
  updateUserGroup,
} from '@portcullis/contracts/routes/user-groups';
import { createUser, deleteUser, resetPassword } from '@portcullis/contracts/routes/users';
import { hashKey } from '@portcullis/core/identity/presented-key';
import { fakeCalendar } from '@portcullis/testkit/fake-timers';
import { sql } from 'kysely';
import { record, requestLogRecord } from '../../test/records.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

const unknown = { id: 999_999 };

describe.each(stores)('who may use what (%s)', (store) => {
  let management: TestManagement;
  beforeAll(async () => {
    management = await startManagement(store);
  });
  afterAll(() => management.stop());

  let counter = 0;
  const createGroup = (fields: object = {}) => {
    counter += 1;
    return management.admin.data(createUserGroup, { body: { name: `group-${counter}`, ...fields } });
  };
  const createTarget = () => {
    counter += 1;
    const body = {
      name: `proxy-${counter}`,
      type: 'mcp',
      target: 'http://127.0.0.1:9',
      port: 23_000 + counter,
    } as const;
    return management.admin.data(createProxy, { body });
  };

  describe('user groups', () => {
    test('are created with the defaults of the specification', async () => {
      const group = await createGroup();
      expect(group).toEqual({
        id: expect.any(Number),
        name: `group-${counter}`,
        description: '',
        active: true,
        client_certificate_subject: null,
        monthly_budget: null,
        budget_warning_threshold: 0.8,
        block_at_threshold: false,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      });
      expect(await management.admin.data(getUserGroup, { params: group })).toEqual(group);
      expect(await management.admin.data(listUserGroups)).toContainEqual(group);
    });

    test('keep budgets exactly, and change only in the given fields', async () => {
      const group = await createGroup({ monthly_budget: 123.456_789, budget_warning_threshold: 0.5 });
      expect(group.monthly_budget).toBe(123.456_789);
      const changed = await management.admin.data(updateUserGroup, { params: group, body: { active: false } });
      expect(changed).toMatchObject({ name: group.name, monthly_budget: 123.456_789, active: false });
      const freed = await management.admin.data(updateUserGroup, { params: group, body: { monthly_budget: null } });
      expect(freed).toMatchObject({ monthly_budget: null, budget_warning_threshold: 0.5, active: false });
      const most = await management.admin.data(updateUserGroup, { params: group, body: { monthly_budget: 1e9 } });
      expect(most.monthly_budget).toBe(1e9);
    });

    test('are changed after they were created, also by a process whose clock is late', async () => {
      const group = await createGroup();
      fakeCalendar(new Date(Date.now() - 3_600_000));
      try {
        const changed = await management.admin.data(updateUserGroup, { params: group, body: { description: 'new' } });
        expect(Date.parse(changed.updated_at)).toBeGreaterThanOrEqual(Date.parse(changed.created_at));
      } finally {
        jest.useRealTimers();
      }
    });

    test('are bound to the subject of a client certificate, in one spelling and each to another', async () => {
      const body = { client_certificate_subject: ' cn = agent-1, O=Example' };
      const group = await createGroup(body);
      expect(group.client_certificate_subject).toBe('CN=agent-1,O=Example');
      const other = await createGroup();
      expect(await management.admin.refusal(updateUserGroup, { params: other, body })).toMatchObject({
        status: 409,
        message: 'Another user group is bound to "CN=agent-1,O=Example" already',
      });
      const nonsense = { client_certificate_subject: 'agent' };
      expect(await management.admin.refusal(updateUserGroup, { params: other, body: nonsense })).toMatchObject({
        status: 400,
        problems: [{ path: '/body/client_certificate_subject' }],
      });
      const freed = { client_certificate_subject: null };
      await management.admin.data(updateUserGroup, { params: group, body: freed });
      expect(await management.admin.data(updateUserGroup, { params: other, body })).toMatchObject({
        client_certificate_subject: 'CN=agent-1,O=Example',
      });
    });

    test('are refused with a taken name or values out of range', async () => {
      const [one, other] = [await createGroup(), await createGroup()];
      const refused = { status: 409, message: `There is a user group "${one.name}" already` };
      expect(await management.admin.refusal(createUserGroup, { body: { name: one.name } })).toMatchObject(refused);
      expect(
        await management.admin.refusal(updateUserGroup, { params: other, body: { name: one.name } }),
      ).toMatchObject(refused);
      for (const body of [
        { name: '' },
        { name: ' a' },
        { name: 'a', budget_warning_threshold: 1.5 },
        { name: 'a', monthly_budget: -1 },
        {},
      ]) {
        expect(await management.admin.status(createUserGroup, { body })).toBe(400);
      }
    });

    test('are deleted with keys and access', async () => {
      const [group, proxy] = [await createGroup(), await createTarget()];
      await management.admin.data(createApiKey, { body: { user_group_id: group.id } });
      await management.admin.data(grantProxyAccess, { params: group, body: { proxy_config_id: proxy.id } });
      expect(await management.admin.refusal(deleteUserGroup, { params: group })).toMatchObject({
        status: 409,
        message: expect.stringContaining('an API key that still works'),
      });
      const query = { force: true };
      expect(await management.admin.status(deleteUserGroup, { params: group, query })).toBe(200);
      expect(await management.admin.data(listApiKeys, { query: { user_group_id: group.id } })).toEqual([]);
      expect(await management.admin.status(listProxyAccess, { params: group })).toBe(404);
    });

    test('without a key that works are deleted as they are', async () => {
      const group = await createGroup();
      const { api_key: key } = await management.admin.data(createApiKey, { body: { user_group_id: group.id } });
      await management.admin.status(revokeApiKey, { params: key });
      expect(await management.admin.status(deleteUserGroup, { params: group })).toBe(200);
    });

    test('are found by state and text, in pages with their total', async () => {
      const made = [await createGroup(), await createGroup({ description: 'The Needle team' }), await createGroup()];
      const ids = async (query: object) => (await management.admin.data(listUserGroups, { query })).map(({ id }) => id);
      expect(await ids({ search: 'needle' })).toEqual([made[1]?.id]);
      await management.admin.data(updateUserGroup, { params: { id: made[1]?.id ?? 0 }, body: { active: false } });
      expect(await ids({ search: 'needle', active: true })).toEqual([]);
      expect(await ids({ search: 'needle', active: false })).toEqual([made[1]?.id]);
      const all = await ids({});
      expect(await ids({ limit: 1, offset: 1 })).toEqual([all[1]]);
      const response = await fetch(`${management.origin}/api/v1/user-groups?limit=1`, {
        headers: { authorization: `Bearer ${management.adminToken}` },
      });
      expect(response.headers.get('x-total-count')).toBe(String(all.length));
      expect(await management.admin.status(listUserGroups, { query: { limit: 1_001 } })).toBe(400);
    });

    test('take the name that the budget status has for the threshold', async () => {
      const group = await createGroup({ warning_threshold: 0.5 });
      expect(group).toMatchObject({ budget_warning_threshold: 0.5 });
      const body = { warning_threshold: 0.6, budget_warning_threshold: 0.7 };
      expect(await management.admin.refusal(updateUserGroup, { params: group, body })).toMatchObject({
        status: 400,
        problems: [{ path: '/body/warning_threshold', rule: 'must be the same as budget_warning_threshold' }],
      });
    });

    test('that do not exist answer 404', async () => {
      for (const route of [getUserGroup, deleteUserGroup, listProxyAccess]) {
        expect(await management.admin.status(route, { params: unknown })).toBe(404);
        expect(await management.admin.status(route, { params: { id: 'x' } })).toBe(400);
      }
      expect(await management.admin.status(updateUserGroup, { params: unknown, body: {} })).toBe(404);
    });
  });

  describe('users in user groups', () => {
    const createMember = async () => {
      counter += 1;
      return (await management.admin.data(createUser, { body: { username: `member-${counter}` } })).user;
    };

    test('are added, listed, shown to themselves and taken out', async () => {
      const [group, user] = [await createGroup({ description: 'crew' }), await createMember()];
      const params = { id: group.id, userId: user.id };
      for (const _ of ['once', 'again']) {
        expect(await management.admin.status(addGroupMember, { params })).toBe(200);
      }
      expect(await management.admin.data(listGroupMembers, { params: group })).toEqual({ users: [user] });
      const body = { password: 'a long enough password' };
      await management.admin.data(resetPassword, { params: user, body });
      const { token } = await management.anonymous.data(login, { body: { username: user.username, ...body } });
      expect((await management.anonymous.as(token).data(usersMe)).groups).toEqual([
        { id: group.id, name: group.name, description: 'crew', active: true },
      ]);
      expect(await management.admin.status(removeGroupMember, { params })).toBe(200);
      expect(await management.admin.refusal(removeGroupMember, { params })).toMatchObject({
        status: 404,
        message: `User ${user.id} does not belong to user group ${group.id}`,
      });
      expect((await management.anonymous.as(token).data(me)).groups).toEqual([]);
    });

    test('leave with the group and with the user', async () => {
      const [group, user] = [await createGroup(), await createMember()];
      await management.admin.status(addGroupMember, { params: { id: group.id, userId: user.id } });
      expect(await management.admin.status(deleteUser, { params: user })).toBe(200);
      expect(await management.admin.data(listGroupMembers, { params: group })).toEqual({ users: [] });
      expect(await management.admin.status(deleteUserGroup, { params: group })).toBe(200);
    });

    test('that do not exist answer 404', async () => {
      const [group, user] = [await createGroup(), await createMember()];
      for (const params of [
        { id: 999_999, userId: user.id },
        { id: group.id, userId: 999_999 },
      ]) {
        expect(await management.admin.status(addGroupMember, { params })).toBe(404);
        expect(await management.admin.status(removeGroupMember, { params })).toBe(404);
      }
      expect(await management.admin.status(listGroupMembers, { params: unknown })).toBe(404);
    });
  });

  describe('access to proxies', () => {
    test('is granted and listed under the names for groups of users too', async () => {
      const [group, proxy] = [await createGroup(), await createTarget()];
      const granted = await management.admin.data(grantGroupProxy, { params: group, body: { proxy_id: proxy.id } });
      expect(granted).toMatchObject({ proxy_config_id: proxy.id, rate_limit: 0 });
      expect(await management.admin.data(listGroupProxies, { params: group })).toEqual({ proxy_access: [granted] });
      expect(await management.admin.data(listProxiesOfGroup, { params: group })).toEqual([
        { ...granted, proxy: { id: proxy.id, name: proxy.name, type: 'mcp', port: proxy.port } },
      ]);
      expect(await management.admin.status(listGroupProxies, { params: unknown })).toBe(404);
      expect(await management.admin.status(listProxiesOfGroup, { params: unknown })).toBe(404);
      expect(await management.admin.status(grantGroupProxy, { params: group, body: { proxy_id: proxy.id } })).toBe(409);
    });

    test('is granted, listed, changed and revoked', async () => {
      const [group, proxy] = [await createGroup(), await createTarget()];
      const granted = await management.admin.data(grantProxyAccess, {
        params: group,
        body: { proxy_config_id: proxy.id, rate_limit: 60 },
      });
      expect(granted).toEqual({
        id: expect.any(Number),
        user_group_id: group.id,
        proxy_config_id: proxy.id,
        proxy_name: proxy.name,
        proxy_type: 'mcp',
        permissions: '{}',
        rate_limit: 60,
        active: true,
        system_prompt_id: null,
        created_at: expect.any(String),
      });
      const list = () => management.admin.data(listProxyAccess, { params: group });
      expect(await list()).toEqual({ proxy_access: [granted] });
      const params = { id: group.id, accessId: granted.id };
      const changed = await management.admin.data(updateProxyAccess, { params, body: { rate_limit: 0 } });
      expect(changed).toEqual({ ...granted, rate_limit: 0 });
      const off = await management.admin.data(updateProxyAccess, { params, body: { active: false } });
      expect(off).toEqual({ ...granted, rate_limit: 0, active: false });
      const gone = { id: group.id, proxyId: proxy.id };
      expect(await management.admin.status(revokeProxyAccess, { params: gone })).toBe(200);
      expect(await list()).toEqual({ proxy_access: [] });
      expect(await management.admin.status(revokeProxyAccess, { params: gone })).toBe(404);
    });

    test('reads what permissions say of tools, and refuses what cannot be read', async () => {
      const [group, proxy] = [await createGroup(), await createTarget()];
      const grant = (permissions: string) =>
        management.admin.refusal(grantProxyAccess, { params: group, body: { proxy_id: proxy.id, permissions } });
      expect(await grant('{"tools": "search"}')).toMatchObject({
        status: 400,
        message: 'permissions: tools must be a list of names, or an object of names with true or false',
      });
      expect(await grant('{"tools": {"search": 1}}')).toMatchObject({ status: 400 });
      expect(await grant('{"tool_rate_limits": {"search": -1}}')).toMatchObject({ status: 400 });
      expect(await grant('{"tolls": ["search"]}')).toMatchObject({
        status: 400,
        message: expect.stringMatching(/"tolls" is not a known key.*did you mean "tools"/),
      });
      expect(await grant('{"tools": [')).toMatchObject({ status: 400 });
      expect(await grant('read')).toMatchObject({ status: 400 });
      const body = { proxy_id: proxy.id, permissions: '{"tools": ["search"], "tool_rate_limits": {"*": 5}}' };
      expect(await management.admin.data(grantProxyAccess, { params: group, body })).toMatchObject({
        permissions: body.permissions,
      });
    });

    test('takes the synonym proxy_id, and words for permissions that allow all', async () => {
      const [group, proxy] = [await createGroup(), await createTarget()];
      const body = { proxy_id: proxy.id, permissions: 'read,write', rate_limit: 5, active: true };
      const granted = await management.admin.data(grantProxyAccess, { params: group, body });
      expect(granted).toMatchObject({ proxy_config_id: proxy.id, permissions: 'read,write' });
    });

    test('is refused twice, for unknown partners and without a proxy', async () => {
      const [group, proxy] = [await createGroup(), await createTarget()];
      const grant = (params: object, body: object) => management.admin.refusal(grantProxyAccess, { params, body });
      await management.admin.data(grantProxyAccess, { params: group, body: { proxy_config_id: proxy.id } });
      expect(await grant(group, { proxy_config_id: proxy.id })).toMatchObject({ status: 409 });
      expect(await grant(group, { proxy_config_id: 999_999 })).toMatchObject({
        status: 404,
        message: 'There is no proxy 999999',
      });
      expect(await grant(unknown, { proxy_config_id: proxy.id })).toMatchObject({
        status: 404,
        message: 'There is no user group 999999',
      });
      expect(await grant(group, {})).toMatchObject({
        status: 400,
        problems: [{ path: '/body/proxy_config_id', rule: 'is required' }],
      });
      expect(await grant(group, { proxy_config_id: proxy.id, proxy_id: proxy.id + 1 })).toMatchObject({ status: 400 });
      expect(await grant(group, { proxy_config_id: proxy.id, rate_limit: -1 })).toMatchObject({ status: 400 });
    });

    test('of one group is not changed through another', async () => {
      const [group, other, proxy] = [await createGroup(), await createGroup(), await createTarget()];
      const granted = await management.admin.data(grantProxyAccess, { params: group, body: { proxy_id: proxy.id } });
      const params = { id: other.id, accessId: granted.id };
      expect(await management.admin.status(updateProxyAccess, { params, body: { rate_limit: 1 } })).toBe(404);
    });
  });

  describe('API keys', () => {
    test('are found by group, state and text, in pages with their total', async () => {
      const group = await createGroup();
      const create = async (name: string) =>
        (await management.admin.data(createApiKey, { body: { user_group_id: group.id, name } })).api_key;
      const [one, two, three] = [await create('one'), await create('two'), await create('Three')];
      const ids = async (query: object) =>
        (await management.admin.data(listApiKeys, { query: { user_group_id: group.id, ...query } })).map(
          ({ id }) => id,
        );
      expect(await ids({ search: 'T' })).toEqual(expect.arrayContaining([two.id, three.id]));
      expect(await ids({ search: 'three' })).toEqual([three.id]);
      expect(await ids({ limit: 1, offset: 1 })).toEqual([two.id]);
      await management.admin.status(revokeApiKey, { params: one });
      expect(await ids({ active: false })).toEqual([one.id]);
      expect(await ids({ active: true })).toEqual([two.id, three.id]);
      const response = await fetch(`${management.origin}/api/v1/api-keys?limit=1&user_group_id=${group.id}`, {
        headers: { authorization: `Bearer ${management.adminToken}` },
      });
      expect(response.headers.get('x-total-count')).toBe('3');
    });

    test('are shown, and change their name and description only', async () => {
      const group = await createGroup();
      const { api_key: key } = await management.admin.data(createApiKey, { body: { user_group_id: group.id } });
      expect(await management.admin.data(getApiKey, { params: key })).toEqual(key);
      const body = { name: 'robot', description: 'builds' };
      const changed = await management.admin.data(updateApiKey, { params: key, body });
      expect(changed).toEqual({ ...key, ...body, updated_at: expect.any(String) });
      expect(await management.admin.status(updateApiKey, { params: key, body: { active: true } })).toBe(400);
      expect(await management.admin.status(getApiKey, { params: unknown })).toBe(404);
      expect(await management.admin.status(updateApiKey, { params: unknown, body })).toBe(404);
    });

    test('of one text are registered once, however many ask at once', async () => {
      const group = await createGroup();
      const body = { user_group_id: group.id, custom_key: `sk-vendor-${counter}-abcdef` };
      const statuses = await Promise.all([1, 2, 3, 4].map(() => management.admin.status(createApiKey, { body })));
      expect(statuses.filter((status) => status === 201)).toHaveLength(1);
      expect(statuses.filter((status) => status === 409)).toHaveLength(3);
    });

    test('are shown once, and kept as a hash', async () => {
      const group = await createGroup();
      const body = { name: 'ci', user_group_id: group.id, description: 'for the robots', expires_in_days: 30 };
      const { api_key: shown, key } = await management.admin.data(createApiKey, { body });
      expect(key).toMatch(/^gw_[A-Za-z0-9]{43}$/);
      expect(shown).toEqual({
        id: expect.any(Number),
        name: 'ci',
        allowed_models: null,
        allowed_tools: null,
        allowed_agents: null,
        owner_id: null,
        owner: null,
        rotated_from: null,
        rotated_to: null,
        key_prefix: key.slice(0, 8),
        user_group_id: group.id,
        user_group_name: group.name,
        description: 'for the robots',
        active: true,
        expires_at: expect.any(String),
        is_expired: false,
        last_used_at: null,
        request_count: 0,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      });
      expect(Date.parse(shown.expires_at ?? '') - Date.parse(shown.created_at)).toBe(30 * 86_400_000);
      expect(await management.admin.data(listApiKeys, { query: { user_group_id: group.id } })).toEqual([shown]);
      const rows = await management.infrastructure.database.kysely.selectFrom('api_keys').selectAll().execute();
      expect(JSON.stringify(rows)).not.toContain(key);
      expect(rows).toContainEqual(expect.objectContaining({ id: shown.id, key_hash: hashKey(key) }));
    });

    test('may be tokens that clients have already, each once', async () => {
      const group = await createGroup();
      const body = { user_group_id: group.id, custom_key: 'sk-vendor-0123456789' };
      const { api_key: shown, key } = await management.admin.data(createApiKey, { body });
      expect([key, shown.key_prefix, shown.expires_at]).toEqual([body.custom_key, 'sk-vendo', null]);
      expect(await management.admin.refusal(createApiKey, { body })).toMatchObject({
        status: 409,
        message: `This key is registered already, as API key ${shown.id}`,
      });
    });

    test('that are short are not told by their first characters', async () => {
      const { id } = await createGroup();
      const prefixOf = async (key: string) => {
        const body = { user_group_id: id, custom_key: key };
        return (await management.admin.data(createApiKey, { body })).api_key.key_prefix;
      };
      expect(await prefixOf(`short-${counter}1`)).toBe('');
      expect(await prefixOf(`longer-${counter}-890123`.slice(0, 15))).toBe('lon');
    });

    test('count their use and expire', async () => {
      const { api_key: shown } = await management.admin.data(createApiKey, {
        body: { user_group_id: (await createGroup()).id, expires_in_days: 1 },
      });
      await record(management.infrastructure, [
        requestLogRecord({ api_key_id: shown.id }),
        requestLogRecord({ api_key_id: shown.id }),
      ]);
      await management.infrastructure.database.kysely
        .updateTable('api_keys')
        .set({ expires_at: sql<Date>`now() - interval '1 second'` })
        .where('id', '=', shown.id)
        .execute();
      const query = { user_group_id: shown.user_group_id };
      expect(await management.admin.data(listApiKeys, { query })).toMatchObject([
        { request_count: 2, last_used_at: expect.any(String), is_expired: true },
      ]);
    });

    test('are revoked for good and deleted', async () => {
      const { api_key: shown } = await management.admin.data(createApiKey, {
        body: { user_group_id: (await createGroup()).id },
      });
      const query = { user_group_id: shown.user_group_id };
      for (let time = 0; time < 2; time += 1) {
        expect(await management.admin.status(revokeApiKey, { params: shown })).toBe(200);
      }
      expect(await management.admin.data(listApiKeys, { query })).toMatchObject([{ active: false }]);
      expect(await management.admin.status(deleteApiKey, { params: shown })).toBe(200);
      expect(await management.admin.data(listApiKeys, { query })).toEqual([]);
    });

    test('are refused for unknown groups and with keys that no header could carry', async () => {
      const { id } = await createGroup();
      const create = (body: object) => management.admin.refusal(createApiKey, { body });
      expect(await create({ user_group_id: 999_999 })).toMatchObject({
        status: 404,
        message: 'There is no user group 999999',
      });
      for (const fields of [
        { custom_key: 'short' },
        { custom_key: 'with a blank' },
        { custom_key: 'naïve-key-1' },
        { expires_in_days: 0 },
      ]) {
        expect(await create({ user_group_id: id, ...fields })).toMatchObject({ status: 400 });
      }
      expect(await create({ name: 'x' })).toMatchObject({
        status: 400,
        problems: [{ path: '/body/user_group_id', rule: 'is required' }],
      });
      for (const route of [revokeApiKey, deleteApiKey]) {
        expect(await management.admin.status(route, { params: unknown })).toBe(404);
        expect(await management.admin.status(route, { params: { id: 'x' } })).toBe(400);
      }
      expect(await management.admin.status(listApiKeys, { query: { user_group_id: 'x' } })).toBe(400);
    });
  });
});
