import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createApiKey, getApiKey, revokeApiKey } from '@portcullis/contracts/routes/api-keys';
import { createProxy, getProxy, listProxies } from '@portcullis/contracts/routes/proxies';
import { grantProxyAccess, updateProxyAccess } from '@portcullis/contracts/routes/proxy-access';
import { getProxyStatus, listProxyStatuses, startProxy } from '@portcullis/contracts/routes/proxy-lifecycle';
import { createUserGroup, updateUserGroup } from '@portcullis/contracts/routes/user-groups';
import { waitFor } from '@portcullis/testkit/wait-for';
import { sql } from 'kysely';
import { startKeyUsage } from '@portcullis/platform/identity/key-usage';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

describe.each(stores)('an API key at the management API (%s)', (store) => {
  let management: TestManagement;
  beforeAll(async () => {
    management = await startManagement(store);
  });
  afterAll(() => management.stop());

  let counter = 0;
  const createTarget = () => {
    counter += 1;
    const [name, port] = [`proxy-${counter}`, 23_400 + counter];
    return management.admin.data(createProxy, { body: { name, type: 'mcp', target: 'http://127.0.0.1:9', port } });
  };
  /** A group with a proxy of its own and a key. */
  const createTeam = async () => {
    const proxy = await createTarget();
    const group = await management.admin.data(createUserGroup, { body: { name: `team-${counter}` } });
    const access = await management.admin.data(grantProxyAccess, { params: group, body: { proxy_id: proxy.id } });
    const { key, api_key: record } = await management.admin.data(createApiKey, { body: { user_group_id: group.id } });
    return { proxy, group, access, record, client: management.anonymous.withKey(key) };
  };

  test('reads the proxies of its group, and no others', async () => {
    const [team, other] = [await createTeam(), await createTeam()];
    expect(await team.client.data(listProxies)).toEqual([team.proxy]);
    expect((await team.client.data(listProxyStatuses)).map(({ id }) => id)).toEqual([team.proxy.id]);
    expect(await team.client.data(getProxy, { params: team.proxy })).toEqual(team.proxy);
    expect((await team.client.data(getProxyStatus, { params: team.proxy })).running).toBe(false);
    const refused = { status: 403, error: 'API key does not have access to this proxy' };
    for (const id of [other.proxy.id, 999_999]) {
      expect(await team.client.refusal(getProxy, { params: { id } })).toMatchObject(refused);
      expect(await team.client.refusal(getProxyStatus, { params: { id } })).toMatchObject(refused);
    }
  });

  test('loses sight of a proxy with the access to it', async () => {
    const { client, group, access, proxy } = await createTeam();
    const params = { id: group.id, accessId: access.id };
    await management.admin.data(updateProxyAccess, { params, body: { active: false } });
    expect(await client.data(listProxies)).toEqual([]);
    expect(await client.status(getProxy, { params: proxy })).toBe(403);
  });

  test('is counted, in batches, also across a restart', async () => {
    const { client, record } = await createTeam();
    const uses = async () => (await management.admin.data(getApiKey, { params: record })).request_count;
    for (const _ of [1, 2, 3]) await client.data(listProxies);
    await waitFor(async () => (await uses()) === 3, { what: 'the batch to be saved' });
    const { database, log } = management.infrastructure;
    for (const _ of ['first', 'restarted']) {
      await using usage = startKeyUsage({ database, log });
      for (const id of [record.id, record.id, 999_999]) usage.count(id);
    }
    expect(await management.admin.data(getApiKey, { params: record })).toMatchObject({
      request_count: 7,
      last_used_at: expect.any(String),
    });
  });

  test('changes nothing', async () => {
    const { client, proxy } = await createTeam();
    expect(await client.refusal(startProxy, { params: proxy })).toMatchObject({
      status: 401,
      error: 'Authentication required',
    });
    expect(await client.status(createProxy, { body: {} })).toBe(401);
  });

  test('is refused with the texts of the proxy ports', async () => {
    const { client, record, group } = await createTeam();
    const error = async () => (await client.refusal(listProxies)).error;
    expect(await management.anonymous.withKey('gw_unknown').refusal(listProxies)).toMatchObject({
      status: 401,
      error: 'Invalid API key: key not found',
    });
    await management.admin.data(updateUserGroup, { params: group, body: { active: false } });
    expect(await error()).toBe('User group is inactive');
    const { kysely } = management.infrastructure.database;
    await sql`update api_keys set expires_at = now() where id = ${record.id}`.execute(kysely);
    expect(await error()).toBe('API key has expired');
    await management.admin.status(revokeApiKey, { params: record });
    expect(await error()).toBe('Invalid API key');
  });
});
