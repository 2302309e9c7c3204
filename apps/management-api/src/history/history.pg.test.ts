import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createApiKey, updateApiKey } from '@portcullis/contracts/routes/api-keys';
import {
  getApiKeyHistory,
  getPolicyHistory,
  getProxyHistory,
  getSettingsHistory,
  getUserGroupHistory,
  getUserHistory,
} from '@portcullis/contracts/routes/history';
import { createPolicy } from '@portcullis/contracts/routes/policies';
import { createProxy, updateProxy } from '@portcullis/contracts/routes/proxies';
import { updateSettings } from '@portcullis/contracts/routes/settings';
import { createUserGroup, updateUserGroup } from '@portcullis/contracts/routes/user-groups';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import { examplePolicy } from '../../test/example-policy.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

describe.each(stores)('the history of objects (%s)', (store) => {
  let management: TestManagement;
  beforeAll(async () => {
    management = await startManagement(store);
  });
  afterAll(() => management.stop());

  const viewer = async () => management.anonymous.as(await management.signIn('viewer'));

  test('tells who reads the object who changed what in it, without secrets and without what only admins read', async () => {
    const { admin } = management;
    const auth = { header: 'Authorization', value: 'Bearer first' };
    const body = { name: 'one', type: 'llm', target: 'http://127.0.0.1:9', port: 24_901, target_auth: auth } as const;
    const proxy = await admin.data(createProxy, { body });
    const change = { name: 'two', target_auth: { ...auth, value: 'Bearer second' } };
    await admin.data(updateProxy, { params: proxy, body: change });
    const { history, next_cursor: next } = await (await viewer()).data(getProxyHistory, { params: proxy });
    expect(next).toBeNull();
    expect(history).toMatchObject([
      {
        event_type: 'proxy.updated',
        actor: { type: 'user', name: 'admin', role: 'admin' },
        result: 'success',
        changes: { name: { from: 'one', to: 'two' } },
      },
      { event_type: 'proxy.created', changes: { name: { to: 'one' } } },
    ]);
    expect(JSON.stringify(history)).not.toMatch(/Bearer|127\.0\.0\.1:\d{5}|source_ip|user_agent/);
  });

  test('goes on page by page, past records that change nothing', async () => {
    const { admin } = management;
    const group = await admin.data(createUserGroup, { body: { name: 'team' } });
    const resource = { type: 'user_group', id: group.id, name: 'team' };
    const refusal = {
      event_type: 'security.access.denied',
      actor: { type: 'anonymous', id: null, name: null },
    } as const;
    await recordAudit(management.infrastructure.database.kysely, { ...refusal, resource });
    for (const name of ['crew', 'gang']) await admin.data(updateUserGroup, { params: group, body: { name } });
    const pages: unknown[][] = [];
    let cursor: string | null | undefined;
    do {
      const query = { limit: 2, ...(cursor && { cursor }) };
      const page = await admin.data(getUserGroupHistory, { params: group, query });
      pages.push(page.history.map(({ changes }) => changes?.['name']));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(pages).toEqual([
      [
        { from: 'crew', to: 'gang' },
        { from: 'team', to: 'crew' },
      ],
      [{ to: 'team' }],
    ]);
    const wrong = { params: group, query: { cursor: 'bm9uc2Vuc2U' } };
    expect(await admin.refusal(getUserGroupHistory, wrong)).toMatchObject({
      status: 400,
      message: expect.stringContaining('cursor'),
    });
  });

  test('is there for keys, policies by name, users and settings; unknown ids are not found', async () => {
    const { admin } = management;
    const group = await admin.data(createUserGroup, { body: { name: 'keys' } });
    const { api_key: key } = await admin.data(createApiKey, { body: { name: 'robot', user_group_id: group.id } });
    await admin.data(updateApiKey, { params: key, body: { name: 'android' } });
    const ofKey = await admin.data(getApiKeyHistory, { params: key });
    expect(ofKey.history.map(({ event_type: type }) => type)).toEqual(['apikey.updated', 'apikey.created']);
    await admin.data(createPolicy, { body: { document: examplePolicy('watched') } });
    const ofPolicy = await admin.data(getPolicyHistory, { params: { id: 'watched' } });
    expect(ofPolicy.history).toMatchObject([{ event_type: 'policy.created' }]);

    await admin.data(updateSettings, { body: { chat_webhook: { webhook_url: 'https://hooks.example/T/secret' } } });
    await admin.data(updateSettings, { body: { mcp_monitoring: { interval_minutes: 90 } } });
    const ofChat = await (await viewer()).data(getSettingsHistory, { query: { section: 'chat_webhook' } });
    expect(ofChat.history).toHaveLength(1);
    expect(JSON.stringify(ofChat)).not.toContain('hooks.example');
    expect((await admin.data(getSettingsHistory, {})).history).toHaveLength(2);

    expect(await (await viewer()).status(getUserHistory, { params: { id: 1 } })).toBe(403);
    expect(await admin.status(getUserHistory, { params: { id: 1 } })).toBe(200);
    for (const route of [getProxyHistory, getUserGroupHistory, getApiKeyHistory, getPolicyHistory, getUserHistory]) {
      expect(await admin.status(route, { params: { id: 2_147_483_647 } })).toBe(404);
    }
  });
});
