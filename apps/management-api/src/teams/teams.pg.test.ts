import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createProxy } from '@portcullis/contracts/routes/proxies';
import { getTeamMcpStats, getTeamTokens, getTeamUsage, listTeamUsage } from '@portcullis/contracts/routes/teams';
import { createUserGroup } from '@portcullis/contracts/routes/user-groups';
import { record, requestLogRecord, usageRecord } from '../../test/records.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

const today = new Date().toISOString();
const longAgo = new Date(Date.now() - 40 * 86_400_000).toISOString();

describe.each(stores)('what teams used (%s)', (store) => {
  let management: TestManagement;
  let busy: { readonly id: number };
  let idle: { readonly id: number };
  beforeAll(async () => {
    management = await startManagement(store);
    const createTarget = async (type: 'llm' | 'mcp', port: number) => {
      const body = { name: type, type, target: 'http://127.0.0.1:9', port };
      return (await management.admin.data(createProxy, { body })).id;
    };
    const [llm, mcp] = [await createTarget('llm', 27_001), await createTarget('mcp', 27_002)];
    idle = await management.admin.data(createUserGroup, { body: { name: 'idle' } });
    busy = await management.admin.data(createUserGroup, { body: { name: 'busy' } });
    const usage = { proxy_id: llm, user_group_id: busy.id };
    const log = { user_group_id: busy.id };
    await record(management.infrastructure, [
      usageRecord({ ...usage, cost_micro_usd: 100_000, model: 'small-1' }),
      usageRecord({ ...usage, cost_micro_usd: 200_000, model: 'big-1' }),
      usageRecord({ ...usage, cost_micro_usd: 1, protocol: 'anthropic-messages', model: 'other-1' }),
      usageRecord({ ...usage, cost_micro_usd: 7, timestamp: longAgo }),
      requestLogRecord({ ...log, proxy_id: llm }),
      requestLogRecord({ ...log, proxy_id: llm }),
      requestLogRecord({ ...log, proxy_id: llm, timestamp: longAgo }),
      requestLogRecord({ ...log, proxy_id: mcp }),
    ]);
    const call = { day: today.slice(0, 10), proxy_id: mcp, user_group_id: busy.id };
    await management.infrastructure.database.kysely
      .insertInto('daily_tool_calls')
      .values([
        { ...call, tool_name: 'search', api_key_id: 1, calls: 2 },
        { ...call, tool_name: 'search', api_key_id: 2, calls: 3 },
        { ...call, tool_name: 'weather', api_key_id: 1, calls: 1 },
      ])
      .execute();
  });
  afterAll(() => management.stop());

  const busyUsage = () => ({
    user_group_id: busy.id,
    user_group_name: 'busy',
    total_tokens: 45,
    total_cost: 0.300_001,
    request_count: 3,
    llm_requests: 2,
    mcp_requests: 1,
    unique_tools: 2,
    tool_usage: [
      { tool_name: 'search', usage_count: 5, unique_users: 2 },
      { tool_name: 'weather', usage_count: 1, unique_users: 1 },
    ],
  });

  test('is listed with the dearest team first, those that used nothing included', async () => {
    expect(await management.admin.data(listTeamUsage)).toEqual([
      busyUsage(),
      expect.objectContaining({ user_group_id: idle.id, total_cost: 0, request_count: 0, tool_usage: [] }),
    ]);
  });

  test('is told of one team, for as many days as asked for', async () => {
    const usage = await management.admin.data(getTeamUsage, { params: busy });
    expect(usage).toEqual({ ...busyUsage(), period_days: 30 });
    const longer = await management.admin.data(getTeamUsage, { params: busy, query: { days: 60 } });
    expect(longer).toMatchObject({ total_cost: 0.300_008, request_count: 4, period_days: 60 });
  });

  test('comes in pages, with the number of all teams', async () => {
    const response = await fetch(`${management.origin}/api/v1/teams/usage?limit=1&offset=1`, {
      headers: { authorization: `Bearer ${management.adminToken}` },
    });
    expect(await response.json()).toMatchObject({ data: [{ user_group_id: idle.id }] });
    expect(response.headers.get('x-total-count')).toBe('2');
  });

  test('on MCP proxies is told apart', async () => {
    const { unique_tools, tool_usage } = busyUsage();
    expect(await management.admin.data(getTeamMcpStats, { params: busy })).toEqual({
      user_group_id: busy.id,
      user_group_name: 'busy',
      period_days: 30,
      total_mcp_requests: 1,
      unique_tools,
      tool_usage,
    });
  });

  test('is broken down by provider and model, exact to the micro-dollar', async () => {
    const { model_breakdown: models, provider_breakdown: providers } = await management.admin.data(getTeamTokens, {
      params: busy,
    });
    expect(models).toEqual([
      { provider: 'openai', model: 'big-1', total_tokens: 15, total_cost: 0.2, request_count: 1 },
      { provider: 'openai', model: 'small-1', total_tokens: 15, total_cost: 0.1, request_count: 1 },
      { provider: 'anthropic', model: 'other-1', total_tokens: 15, total_cost: 0.000_001, request_count: 1 },
    ]);
    expect(providers).toEqual([
      { provider: 'openai', total_tokens: 30, total_cost: 0.3, request_count: 2 },
      { provider: 'anthropic', total_tokens: 15, total_cost: 0.000_001, request_count: 1 },
    ]);
  });

  test('of an unknown team answers 404, wrong days 400, and no login 401', async () => {
    for (const route of [getTeamUsage, getTeamTokens, getTeamMcpStats]) {
      expect(await management.admin.status(route, { params: { id: 999_999 } })).toBe(404);
      expect(await management.admin.status(route, { params: { id: 'x' } })).toBe(400);
      for (const days of [0, 367, 'x']) {
        expect(await management.admin.status(route, { params: busy, query: { days } })).toBe(400);
      }
    }
    for (const query of [{ days: 0 }, { limit: 0 }, { limit: 1_001 }, { offset: -1 }]) {
      expect(await management.admin.status(listTeamUsage, { query })).toBe(400);
    }
    expect(await management.anonymous.status(listTeamUsage)).toBe(401);
  });
});
