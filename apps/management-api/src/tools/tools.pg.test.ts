import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Route } from '@portcullis/contracts/route';
import { getToolStats, listTools, switchTool, switchTools } from '@portcullis/contracts/routes/mcp-tools';
import { createProxy } from '@portcullis/contracts/routes/proxies';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

const names = ['files/read.text', 'search', 'weather.today'];

describe.each(stores)('MCP tools (%s)', (store) => {
  let management: TestManagement;
  beforeAll(async () => {
    management = await startManagement(store);
  });
  afterAll(() => management.stop());

  let counter = 0;
  const createTarget = async (type: 'llm' | 'mcp' = 'mcp') => {
    counter += 1;
    const proxy = await management.admin.data(createProxy, {
      body: { name: `proxy-${counter}`, type, target: 'http://127.0.0.1:9', port: 26_000 + counter },
    });
    const rows = names.map((name) => ({
      proxy_id: proxy.id,
      name,
      description: `What ${name} does`,
      definition: JSON.stringify({ name }),
      definition_hash: 'h',
    }));
    await management.infrastructure.database.kysely.insertInto('mcp_tools').values(rows).execute();
    return proxy;
  };
  const enabledOf = async (proxy: { readonly id: number }) => {
    const { tools } = await management.admin.data(listTools, { params: proxy });
    return tools.filter(({ enabled }) => enabled).map(({ name }) => name);
  };
  const auditOf = async (eventType: string) => {
    const { kysely } = management.infrastructure.database;
    const rows = kysely.selectFrom('audit_log').select(['resource_type', 'resource_name', 'details', 'changes']);
    return rows.where('event_type', '=', eventType).orderBy('id', 'desc').execute();
  };

  test('are listed by name, switched off until an operator switches them on', async () => {
    const proxy = await createTarget();
    const { tools, ...rest } = await management.admin.data(listTools, { params: proxy });
    expect(rest).toEqual({ proxy_id: proxy.id, count: 3 });
    expect(tools[0]).toEqual({
      id: expect.any(Number),
      name: 'files/read.text',
      description: 'What files/read.text does',
      enabled: false,
      discovered_at: expect.any(String),
      held: false,
      rate_limit: 0,
      missing_since: null,
      findings: [],
    });
    expect(tools.map(({ name }) => name)).toEqual(names);
  });

  test('are switched one by one, with any characters in their names', async () => {
    const proxy = await createTarget();
    for (const toolName of ['files/read.text', 'weather.today']) {
      const params = { id: proxy.id, toolName };
      const tool = await management.admin.data(switchTool, { params, body: { enabled: true } });
      expect(tool).toMatchObject({ name: toolName, enabled: true });
    }
    expect(await enabledOf(proxy)).toEqual(['files/read.text', 'weather.today']);
    expect((await auditOf('mcp.tool.enabled'))[0]).toMatchObject({
      resource_type: 'mcp_tool',
      resource_name: 'weather.today',
      changes: { enabled: { from: false, to: true } },
    });
    const params = { id: proxy.id, toolName: 'weather.today' };
    await management.admin.data(switchTool, { params, body: { enabled: false } });
    expect(await enabledOf(proxy)).toEqual(['files/read.text']);
    expect(await auditOf('mcp.tool.disabled')).toHaveLength(1);
    const { kysely } = management.infrastructure.database;
    const changes = kysely.selectFrom('config_changes').select('id').where('kind', '=', 'mcp_tools');
    expect((await changes.execute()).map(({ id }) => id)).toContain(String(proxy.id));
  });

  test('are limited in how often they are called', async () => {
    const proxy = await createTarget();
    const params = { id: proxy.id, toolName: 'search' };
    const tool = await management.admin.data(switchTool, { params, body: { rate_limit: 5 } });
    expect(tool).toMatchObject({ name: 'search', enabled: false, rate_limit: 5 });
    expect((await auditOf('mcp.tool.updated'))[0]).toMatchObject({ changes: { rate_limit: { from: 0, to: 5 } } });
    for (const body of [{}, { rate_limit: -1 }, { rate_limit: 1.5 }, { enabled: true, other: 1 }]) {
      expect(await management.admin.status(switchTool, { params, body })).toBe(400);
    }
  });

  test('are switched together, all or none', async () => {
    const proxy = await createTarget();
    const params = { id: proxy.id };
    const body = { tool_names: names, enabled: true };
    expect(await management.admin.data(switchTools, { params, body })).toMatchObject({
      proxy_id: proxy.id,
      updated: 3,
    });
    expect(await enabledOf(proxy)).toEqual(names);
    const wrong = { tool_names: ['search', 'nothing', 'missing'], enabled: false };
    expect(await management.admin.refusal(switchTools, { params, body: wrong })).toMatchObject({
      status: 404,
      message: `Proxy ${proxy.id} has no tool "nothing", "missing"`,
    });
    expect(await enabledOf(proxy)).toEqual(names);
    await management.admin.data(switchTools, { params, body: { tool_names: ['search'], enabled: false } });
    expect((await auditOf('mcp.tool.bulk.updated'))[0]).toMatchObject({
      details: { enabled: false, tool_names: ['search'], changed: ['search'] },
    });
    for (const refused of [
      { tool_names: [], enabled: true },
      { tool_names: ['search', 'search'], enabled: true },
      { tool_names: ['search'] },
      { tool_names: 'search', enabled: true },
    ]) {
      expect(await management.admin.status(switchTools, { params, body: refused })).toBe(400);
    }
  });

  test('are counted, and those called most are told', async () => {
    const proxy = await createTarget();
    const call = (tool_name: string, day: string, calls: number) => ({
      day,
      proxy_id: proxy.id,
      tool_name,
      user_group_id: 1,
      api_key_id: 1,
      calls,
    });
    await management.infrastructure.database.kysely
      .insertInto('daily_tool_calls')
      .values([
        call('search', '2026-01-01', 3),
        call('search', '2026-01-02', 4),
        call('weather.today', '2026-01-01', 5),
      ])
      .execute();
    const params = { id: proxy.id, toolName: 'search' };
    await management.admin.data(switchTool, { params, body: { enabled: true } });
    expect(await management.admin.data(getToolStats, { params: proxy })).toEqual({
      proxy_id: proxy.id,
      stats: {
        total_tools: 3,
        enabled_tools: 1,
        disabled_tools: 2,
        held_tools: 0,
        total_calls: 12,
        total_errors: 0,
        total_blocked: 0,
        tools: [
          { name: 'search', calls: 7, errors: 0, blocked: 0, last_used_at: null },
          { name: 'weather.today', calls: 5, errors: 0, blocked: 0, last_used_at: null },
        ],
        most_used_tools: [
          { name: 'search', usage_count: 7 },
          { name: 'weather.today', usage_count: 5 },
        ],
      },
    });
  });

  test('belong to MCP proxies only, and to those that exist', async () => {
    const llm = await createTarget('llm');
    const message = `The proxy "${llm.name}" is not an MCP proxy`;
    const readers: readonly Route[] = [listTools, getToolStats];
    for (const route of readers) {
      expect(await management.admin.refusal(route, { params: llm })).toMatchObject({ status: 400, message });
      expect(await management.admin.status(route, { params: { id: 999_999 } })).toBe(404);
      expect(await management.admin.status(route, { params: { id: 'x' } })).toBe(400);
    }
    const body = { enabled: true };
    const one = { id: llm.id, toolName: 'search' };
    expect(await management.admin.refusal(switchTool, { params: one, body })).toMatchObject({ status: 400, message });
    const all = { params: llm, body: { tool_names: ['search'], enabled: true } };
    expect(await management.admin.refusal(switchTools, all)).toMatchObject({ status: 400, message });
    const mcp = await createTarget();
    const nowhere = { id: mcp.id, toolName: 'nothing' };
    expect(await management.admin.status(switchTool, { params: nowhere, body })).toBe(404);
    expect(await management.admin.status(switchTool, { params: { ...one, id: 999_999 }, body })).toBe(404);
    expect(await management.admin.status(switchTool, { params: nowhere, body: { enabled: 'yes' } })).toBe(400);
  });

  test('are read by viewers and switched by admins', async () => {
    const proxy = await createTarget();
    const operator = management.anonymous.as(await management.signIn('operator'));
    expect(await operator.status(listTools, { params: proxy })).toBe(200);
    const params = { id: proxy.id, toolName: 'search' };
    expect(await operator.status(switchTool, { params, body: { enabled: true } })).toBe(403);
  });
});
