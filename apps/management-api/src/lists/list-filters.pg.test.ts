import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Route } from '@portcullis/contracts/route';
import { bulkUpdateAlerts } from '@portcullis/contracts/routes/alert-work';
import { listAlerts } from '@portcullis/contracts/routes/alerts';
import { createApiKey } from '@portcullis/contracts/routes/api-keys';
import { listAuditLogs } from '@portcullis/contracts/routes/audit';
import { me } from '@portcullis/contracts/routes/auth';
import { createProxy } from '@portcullis/contracts/routes/proxies';
import { listProxyLogs } from '@portcullis/contracts/routes/proxy-records';
import { listRequests } from '@portcullis/contracts/routes/requests';
import { createUserGroup } from '@portcullis/contracts/routes/user-groups';
import { alertRecord, record, requestLogRecord } from '../../test/records.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

const idsOf = (list: readonly { readonly request_id: string | null }[]) =>
  list.map(({ request_id: id }) => id ?? '').toSorted((a, b) => a.localeCompare(b));

describe.each(stores)('the filters that all lists share (%s)', (store) => {
  let management: TestManagement;
  let proxy: { id: number };
  let team: { id: number };
  let key: { id: number };
  let user: { id: number; username: string; email: string };

  beforeAll(async () => {
    management = await startManagement(store);
    const { admin } = management;
    user = await admin.data(me);
    proxy = await admin.data(createProxy, {
      body: { name: 'chat', type: 'llm', target: 'http://127.0.0.1:9', port: 22_001 },
    });
    team = await admin.data(createUserGroup, { body: { name: 'Research, Berlin' } });
    ({ api_key: key } = await admin.data(createApiKey, { body: { name: 'ci', user_group_id: team.id } }));
    const byKey = { request_id: 'by-key', proxy_id: proxy.id };
    const byUser = { request_id: 'by-user', proxy_id: proxy.id };
    await record(management.infrastructure, [
      requestLogRecord({ ...byKey, api_key_id: key.id, user_group_id: team.id }),
      requestLogRecord({ ...byUser, user_id: user.id }),
      requestLogRecord({ request_id: 'elsewhere', proxy_id: 999 }),
      alertRecord({ ...byKey, user_identity: 'ci', user_type: 'apikey', user_group: 'Research, Berlin' }),
      alertRecord({ ...byUser, user_identity: user.username, user_type: 'user' }),
      alertRecord({ request_id: 'elsewhere', proxy_id: 999 }),
    ]);
  });
  afterAll(() => management.stop());

  /** The ids of the requests that each list finds. */
  const find = async (query: object) => {
    const { admin } = management;
    const [{ requests }, { alerts }] = await Promise.all([
      admin.data(listRequests, { query }),
      admin.data(listAlerts, { query }),
    ]);
    return [requests, alerts].map(idsOf);
  };
  const refusal = (route: Route, query: object) => management.admin.refusal(route, { query });

  test('find the same by name and by id, on requests and alerts', async () => {
    for (const [query, expected] of [
      [{ proxy: 'chat' }, ['by-key', 'by-user']],
      [{ proxy: proxy.id }, ['by-key', 'by-user']],
      [{ proxy: `chat,999` }, ['by-key', 'by-user', 'elsewhere']],
      [{ proxy: 'unknown' }, []],
      [{ team: 'Research, Berlin' }, ['by-key']],
      [{ team: team.id }, ['by-key']],
      [{ key: 'ci' }, ['by-key']],
      [{ key: key.id }, ['by-key']],
      [{ user: 'ci' }, ['by-key']],
      [{ user: user.username }, ['by-user']],
      [{ user: user.email.toUpperCase() }, ['by-user']],
      [{ user: `ci, ${user.username}` }, ['by-key', 'by-user']],
      [{ request_id: 'by-key' }, ['by-key']],
      [{ user: 'ci', proxy: 999 }, []],
      [{ date_to: '2020-01-01' }, []],
      [{ date_from: '2020-01-01', time_range: '1h', key: 'ci' }, ['by-key']],
    ] as const) {
      expect([query, ...(await find(query))]).toEqual([query, expected, expected]);
    }
  });

  test('hold for the logs of a proxy', async () => {
    const logs = async (query: object) => {
      const found = await management.admin.data(listProxyLogs, { params: proxy, query });
      return found.map(({ request_id: id }) => id);
    };
    expect(await logs({ key: 'ci' })).toEqual(['by-key']);
    expect(await logs({ team: team.id, time_range: '1h' })).toEqual(['by-key']);
    expect(await logs({ user: user.email })).toEqual(['by-user']);
    expect(await logs({ request_id: 'by-user', date_from: '2020-01-01' })).toEqual(['by-user']);
    expect(await logs({ date_to: '2020-01-01' })).toEqual([]);
    expect(await logs({ from: '2020-01-01', date_from: '2020-01-01T00:00:00Z' })).toHaveLength(2);
  });

  test('hold for the audit log', async () => {
    const types = async (query: object) => {
      const { logs } = await management.admin.data(listAuditLogs, { query });
      return logs.map(({ event_type: type }) => type);
    };
    const own = await types({ user: user.username });
    expect(own).toContain('apikey.created');
    expect(await types({ user: user.email })).toEqual(own);
    expect(await types({ actor: user.username, event_type: 'apikey.created' })).toEqual(['apikey.created']);
    const [{ metadata } = { metadata: { request_id: null } }] = (
      await management.admin.data(listAuditLogs, { query: { event_type: 'apikey.created' } })
    ).logs;
    expect(await types({ request_id: metadata.request_id })).toEqual(['apikey.created']);
    expect(await types({ request_id: 'unknown' })).toEqual([]);
  });

  test('have their older names, alone or saying the same', async () => {
    const alerts = async (query: object) => idsOf((await management.admin.data(listAlerts, { query })).alerts);
    expect(await alerts({ proxy_id: proxy.id })).toEqual(['by-key', 'by-user']);
    expect(await alerts({ proxy_id: proxy.id, proxy: proxy.id })).toEqual(['by-key', 'by-user']);
    expect(await alerts({ user_identity: `ci,${user.username}` })).toEqual(['by-key', 'by-user']);
    expect(await alerts({ user_group: 'Research, Berlin', user: 'ci' })).toEqual(['by-key']);
    expect(await alerts({ user_identity: '' })).toHaveLength(3);
    const filter = { user_identity: 'ci' };
    expect(
      await management.admin.data(bulkUpdateAlerts, { body: { status: 'acknowledged', filter, dry_run: true } }),
    ).toMatchObject({ matched: 1 });
  });

  test.each([
    [listAlerts, { proxy: 1, proxy_id: 2 }, 'proxy', 'proxy_id'],
    [listAlerts, { user: 'a', user_identity: 'b' }, 'user', 'user_identity'],
    [listAlerts, { team: 'a', user_group: 'b' }, 'team', 'user_group'],
    [listAuditLogs, { user: 'a', actor: 'b' }, 'user', 'actor'],
  ])('refuse an older name beside another value %#', async (route, query, name, older) => {
    expect(await refusal(route, query)).toMatchObject({
      status: 400,
      problems: [{ path: `/query/${name}`, rule: expect.stringContaining(older) }],
    });
  });

  test('refuse from and to beside another date', async () => {
    const query = { date_to: '2026-01-02', to: '2026-01-02' };
    expect(await management.admin.refusal(listProxyLogs, { params: proxy, query })).toMatchObject({
      status: 400,
      problems: [{ path: '/query/date_to', rule: expect.stringContaining('to, its older name') }],
    });
  });

  test('say what is wrong with a date by its own name', async () => {
    for (const route of [listRequests, listAlerts, listAuditLogs]) {
      expect(await refusal(route, { date_from: '2026-13-01' })).toMatchObject({
        status: 400,
        problems: [{ path: '/query/date_from' }],
      });
    }
  });
});
