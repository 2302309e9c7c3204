import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { me } from '@portcullis/contracts/routes/auth';
import { createProxy, type ProxyCreation } from '@portcullis/contracts/routes/proxies';
import {
  getProxyStats,
  getProxyTokens,
  listProxyAlerts,
  listProxyLogs,
} from '@portcullis/contracts/routes/proxy-records';
import { loadStatsUpdate } from '../live/load-stats-update.ts';
import { alertRecord, record, requestLogRecord, usageRecord } from '../../test/records.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

describe.each(stores)('records of a proxy (%s)', (store) => {
  let management: TestManagement;
  let llm: { id: number };
  let mcp: { id: number };
  beforeAll(async () => {
    management = await startManagement(store);
    const create = (body: ProxyCreation) => management.admin.data(createProxy, { body });
    llm = await create({ name: 'llm', type: 'llm', target: 'http://127.0.0.1:9', port: 22_001 });
    mcp = await create({ name: 'mcp', type: 'mcp', target: 'http://127.0.0.1:9', port: 22_002 });
    const log = (hours: number, fields: object) =>
      requestLogRecord({ proxy_id: llm.id, timestamp: hoursAgo(hours), ...fields });
    const usage = (hours: number, fields: object) =>
      usageRecord({ proxy_id: llm.id, timestamp: hoursAgo(hours), ...fields });
    await record(management.infrastructure, [
      log(1, { duration_ms: 30 }),
      log(2, {
        status_code: 403,
        denied_reason: 'policy_violation',
        denied_stage: 'inspect-request',
        risk_level: 'High',
      }),
      log(3, { path: '/v1/models', method: 'GET', request_size: 0, duration_ms: 20 }),
      log(30, {}),
      requestLogRecord({ proxy_id: mcp.id }),
      usage(1, { model: 'big-1', cost_micro_usd: 1_500_000, stated_cost_micro_usd: 1_400_000 }),
      usage(48, {}),
      usage(24 * 40, {}),
      alertRecord({ proxy_id: llm.id, title: 'Of the LLM' }),
      alertRecord({ proxy_id: mcp.id, severity: 'Low' }),
    ]);
  });
  afterAll(() => management.stop());

  test.each([
    [{ status: '403' }, 1],
    [{ status: '4xx,5xx' }, 1],
    [{ status: '200,403' }, 4],
    [{ from: hoursAgo(2.5) }, 2],
    [{ from: hoursAgo(2.5), to: hoursAgo(1.5) }, 1],
    [{ to: '2020-01-01' }, 0],
    [{ search: 'MODELS' }, 1],
    [{ search: '127.0.0.1' }, 4],
    [{ search: '127.0.0' }, 0],
    [{ status: '2xx', search: 'chat', limit: 1, offset: 1 }, 1],
  ])('logs are filtered by %p', async (query, count) => {
    expect(await management.admin.data(listProxyLogs, { params: llm, query })).toHaveLength(count);
  });

  test.each([{ status: '600' }, { status: '4x' }, { from: 'yesterday' }, { to: '2026-13-01' }, { limit: 1_001 }])(
    'logs refuse %p',
    async (query) => {
      const [field] = Object.keys(query);
      expect(await management.admin.refusal(listProxyLogs, { params: llm, query })).toMatchObject({
        status: 400,
        problems: [{ path: `/query/${field}` }],
      });
    },
  );

  test('logs come newest first, page by page', async () => {
    const logs = await management.admin.data(listProxyLogs, { params: llm });
    expect(logs.map(({ path, status_code: status }) => [path, status])).toEqual([
      ['/v1/chat/completions', 200],
      ['/v1/chat/completions', 403],
      ['/v1/models', 200],
      ['/v1/chat/completions', 200],
    ]);
    expect(logs[1]).toMatchObject({
      proxy_config_id: llm.id,
      risk_level: 'High',
      denied_reason: 'policy_violation',
      denied_stage: 'inspect-request',
    });
    const page = await management.admin.data(listProxyLogs, { params: llm, query: { limit: 2, offset: 1 } });
    expect(page).toEqual(logs.slice(1, 3));
  });

  test('logs tell which user called, by name as long as there is one', async () => {
    const { admin } = management;
    const user = await admin.data(me);
    const body: ProxyCreation = { name: 'for users', type: 'mcp', target: 'http://127.0.0.1:9', port: 22_005 };
    const proxy = await admin.data(createProxy, { body });
    await record(management.infrastructure, [
      requestLogRecord({ proxy_id: proxy.id, user_id: user.id, path: '/own', timestamp: hoursAgo(3) }),
      requestLogRecord({ proxy_id: proxy.id, api_key_id: 3, path: '/key', timestamp: hoursAgo(2) }),
      requestLogRecord({ proxy_id: proxy.id, user_id: 4_711, path: '/gone', timestamp: hoursAgo(1) }),
    ]);
    const list = async (query: { user?: string }) => {
      const logs = await admin.data(listProxyLogs, { params: proxy, query });
      return logs.map(({ path, user_id: id, user_identity: name }) => [path, id, name]);
    };
    const own = ['/own', user.id, user.username];
    expect(await list({})).toEqual([['/gone', 4_711, null], ['/key', null, null], own]);
    expect(await list({ user: user.username })).toEqual([own]);
    expect(await list({ user: user.email.toUpperCase() })).toEqual([own]);
    expect(await list({ user: 'adm' })).toEqual([]);
  });

  test('logs tell tokens and what became of the budget where they are asked to', async () => {
    const proxy = await management.admin.data(createProxy, {
      body: { name: 'told', type: 'llm', target: 'http://127.0.0.1:9', port: 22_009 },
    });
    const log = (request_id: string, timestamp: string, fields: object = {}) =>
      requestLogRecord({ proxy_id: proxy.id, request_id, timestamp, user_group_id: 1, ...fields });
    const [latest, before, first] = [hoursAgo(1), hoursAgo(2), hoursAgo(3)];
    await record(management.infrastructure, [
      log('answered-1', latest),
      log('spent-001', before, { status_code: 402, denied_reason: 'budget_exceeded', denied_stage: 'check-budget' }),
      log('nobody-01', first, { status_code: 401, denied_reason: 'key_revoked', denied_stage: 'identify' }),
      usageRecord({ proxy_id: proxy.id, request_id: 'answered-1', timestamp: latest, cost_micro_usd: 1_500_000 }),
      usageRecord({ proxy_id: mcp.id, request_id: 'spent-001', timestamp: before }),
    ]);
    const query = { include_tokens: true, include_budget_check: true };
    const logs = await management.admin.data(listProxyLogs, { params: proxy, query });
    expect(logs.map(({ tokens, budget_check: check }) => [tokens?.cost ?? null, check])).toEqual([
      [1.5, 'passed'],
      [null, 'exceeded'],
      [null, 'not_checked'],
    ]);
    expect(logs[0]?.tokens).toMatchObject({ model: expect.any(String), estimated: false });
    const [plain] = await management.admin.data(listProxyLogs, { params: proxy });
    expect(plain).not.toHaveProperty('tokens');
    expect(plain).not.toHaveProperty('budget_check');
  });

  test('statistics sum up the time asked for', async () => {
    expect(await management.admin.data(getProxyStats, { params: llm })).toEqual({
      proxy_id: llm.id,
      time_range_hours: 24,
      total_requests: 3,
      successful_requests: 2,
      failed_requests: 1,
      avg_response_time_ms: 20,
      total_data_transferred: 3_200,
      alerts_triggered: 1,
      top_endpoints: [
        { path: '/v1/chat/completions', count: 2 },
        { path: '/v1/models', count: 1 },
      ],
    });
    const all = await management.admin.data(getProxyStats, { params: llm, query: { hours: 48 } });
    expect(all).toMatchObject({ time_range_hours: 48, total_requests: 4 });
  });

  test('refusals of a stranger that were gathered count as many as they are', async () => {
    const proxy = await management.admin.data(createProxy, {
      body: { name: 'flooded', type: 'llm', target: 'http://127.0.0.1:9', port: 22_011 },
    });
    const refused = { status_code: 401, denied_reason: 'key_missing', denied_stage: 'identify', response_size: 100 };
    const log = (minutes: number, fields: object) =>
      requestLogRecord({ proxy_id: proxy.id, timestamp: hoursAgo(minutes / 60), request_size: 0, ...fields });
    await record(management.infrastructure, [
      log(0.1, { ...refused, requests: 4_000, duration_ms: 1_000, client_ip: '2001:0db8:0000:0000::/64', path: '' }),
      log(0.2, { ...refused, duration_ms: 1 }),
      log(0.3, { response_size: 100 }),
    ]);
    const logs = await management.admin.data(listProxyLogs, { params: proxy });
    expect(logs.map(({ requests, client_ip: address, path }) => [requests, address, path])).toEqual([
      [4_000, '2001:0db8:0000:0000::/64', ''],
      [1, '127.0.0.1', '/v1/chat/completions'],
      [1, '127.0.0.1', '/v1/chat/completions'],
    ]);
    expect(await management.admin.data(getProxyStats, { params: proxy })).toMatchObject({
      total_requests: 4_002,
      failed_requests: 4_001,
      total_data_transferred: 300,
      avg_response_time_ms: 0.253,
      top_endpoints: [
        { path: '', count: 4_000 },
        { path: '/v1/chat/completions', count: 2 },
      ],
    });
    const { requests } = await loadStatsUpdate(management.infrastructure.database, new Date());
    expect(requests).toMatchObject({ errors_last_minute: 4_001 });
  });

  test('statistics of a proxy without traffic are zero', async () => {
    const { id } = await management.admin.data(createProxy, {
      body: { name: 'idle', type: 'llm', target: 'http://127.0.0.1:9', port: 22_003 },
    });
    expect(await management.admin.data(getProxyStats, { params: { id } })).toMatchObject({
      total_requests: 0,
      avg_response_time_ms: 0,
      top_endpoints: [],
    });
    expect(await management.admin.data(getProxyTokens, { params: { id } })).toMatchObject({
      totals: { total_tokens: 0, total_cost: 0, request_count: 0 },
      recent_usage: [],
    });
  });

  test('tokens are told with their cost in USD, for LLM proxies only', async () => {
    const usage = await management.admin.data(getProxyTokens, { params: llm });
    expect(usage).toMatchObject({
      proxy_id: llm.id,
      proxy_name: 'llm',
      period_days: 30,
      totals: { total_tokens: 30, total_cost: 1.500_03, request_count: 2 },
      records_count: 2,
    });
    expect(usage.recent_usage[0]).toMatchObject({
      model: 'big-1',
      input_tokens: 10,
      cached_input_tokens: 0,
      output_tokens: 5,
      reasoning_tokens: 0,
      cost: 1.5,
      stated_cost: 1.4,
      priced: true,
      estimated: false,
    });
    expect(usage.models).toEqual([
      expect.objectContaining({ model: 'big-1', total_tokens: 15, total_cost: 1.5, request_count: 1 }),
      expect.objectContaining({ model: 'small-1', total_tokens: 15, total_cost: 0.000_03, request_count: 1 }),
    ]);
    expect(usage.models_total).toBe(2);
    expect(await management.admin.refusal(getProxyTokens, { params: mcp })).toMatchObject({
      status: 400,
      message: 'The proxy "mcp" is not an LLM proxy',
    });
  });

  test('alerts are those of the proxy, with the filters of the alert list', async () => {
    const page = await management.admin.data(listProxyAlerts, { params: llm });
    expect(page).toMatchObject({ total: 1, limit: 20, offset: 0, alerts: [{ title: 'Of the LLM' }] });
    const filtered = await management.admin.data(listProxyAlerts, { params: llm, query: { severity: 'low' } });
    expect(filtered.total).toBe(0);
  });

  test('of an unknown proxy answer 404, wrong bounds 400', async () => {
    for (const route of [listProxyLogs, getProxyStats, getProxyTokens, listProxyAlerts]) {
      expect(await management.admin.status(route, { params: { id: 999_999 } })).toBe(404);
      expect(await management.admin.status(route, { params: { id: 'x' } })).toBe(400);
    }
    expect(await management.admin.status(listProxyLogs, { params: llm, query: { limit: 0 } })).toBe(400);
    expect(await management.admin.status(listProxyLogs, { params: llm, query: { limit: 1_001 } })).toBe(400);
    expect(await management.admin.status(getProxyStats, { params: llm, query: { hours: 'x' } })).toBe(400);
  });
});
