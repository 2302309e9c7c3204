import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { liveEventsTopic } from '@portcullis/contracts/events';
import { detectToolChanges } from '@portcullis/contracts/routes/mcp-tool-changes';
import { discoverTools, listTools, switchTool } from '@portcullis/contracts/routes/mcp-tools';
import { createProxy } from '@portcullis/contracts/routes/proxies';
import { answer, startLoopbackPeer } from '@portcullis/testkit/loopback-peer';
import { startMcpPeer, type McpPeer, type McpTool } from '@portcullis/testkit/mcp-peer';
import { startServerInitiatedMcpPeer, wires } from '@portcullis/testkit/server-initiated-mcp-peer';
import { waitFor } from '@portcullis/testkit/wait-for';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

const tool = (name: string, description = `Does ${name}`): McpTool => ({
  name,
  description,
  inputSchema: { type: 'object' },
  call: () => '',
});

describe.each(stores)('discovering tools (%s)', (store) => {
  let management: TestManagement;
  let peer: McpPeer;
  beforeAll(async () => {
    management = await startManagement(store);
    peer = await startMcpPeer();
  });
  afterAll(async () => {
    await management.stop();
    await peer[Symbol.asyncDispose]();
  });

  let counter = 0;
  const createTarget = (target = peer.endpoint, fields: object = {}) => {
    counter += 1;
    const body = { name: `mcp-${counter}`, type: 'mcp', target, port: 28_000 + counter, ...fields } as const;
    return management.admin.data(createProxy, { body });
  };
  const discover = (proxy: { readonly id: number }) => management.admin.data(discoverTools, { params: proxy });

  test.each([
    { answers: 'json', sessions: false },
    { answers: 'json', sessions: true },
    { answers: 'sse', sessions: true },
    { answers: 'json', era: 'stateless', sessions: false },
    { answers: 'sse', era: 'stateless', sessions: false },
  ] as const)('reads every page with %j and stores the tools disabled', async (behaviour) => {
    peer.behave({
      era: 'sessions',
      ...behaviour,
      tools: ['a', 'b', 'c', 'd', 'e/f.g'].map((name) => tool(name)),
      pageSize: 2,
    });
    const auth = { header: 'Authorization', value: 'Bearer secret' };
    const proxy = await createTarget(peer.endpoint, { target_auth: auth });
    const found = await discover(proxy);
    expect(found).toMatchObject({
      proxy_id: proxy.id,
      discovered: 5,
      message: '5 tools discovered, 5 of them new and disabled',
      new_tools: ['a', 'b', 'c', 'd', 'e/f.g'],
      changed_tools: [],
      missing_tools: [],
    });
    expect(found.tools).toHaveLength(5);
    expect(found.tools.every(({ enabled }) => !enabled)).toBe(true);
    expect(peer.requests.at(-1)?.headers.authorization).toBe('Bearer secret');
    expect((await management.admin.data(listTools, { params: proxy })).tools).toEqual(found.tools);
  });

  test.each(wires)(
    'reads every page over the transport %s, and what changed when it is compared later',
    async (wire) => {
      const tools = ['a', 'b', 'c'].map((name) => tool(name));
      await using talking = await startServerInitiatedMcpPeer({ tools, pageSize: 2 });
      const auth = { header: 'Authorization', value: 'Bearer secret' };
      const proxy = await createTarget(talking.endpoints[wire], { transport: wire, target_auth: auth });
      expect(await discover(proxy)).toMatchObject({ discovered: 3, new_tools: ['a', 'b', 'c'] });
      const sent = [...talking.requests.map(({ headers }) => headers), ...talking.upgrades];
      expect(sent.length).toBeGreaterThan(0);
      expect(sent.every(({ authorization }) => authorization === 'Bearer secret')).toBe(true);
      await waitFor(() => talking.conversations.every(({ ended }) => ended), { what: 'the conversation to end' });
      talking.behave({ tools: [tool('a'), tool('b', 'Something else'), tool('d')] });
      const compared = await management.admin.data(detectToolChanges, { params: { proxyId: proxy.id } });
      expect(new Set(compared.changes.map(({ tool_name }) => tool_name))).toEqual(new Set(['b', 'c', 'd']));
      // The address of most servers need not be told.
      const atRoot = await createTarget(talking.url, { transport: wire });
      expect(await discover(atRoot)).toMatchObject({ discovered: 3 });
    },
  );

  test('keeps the switches of known tools, and tells what changed and what is gone', async () => {
    peer.behave({
      answers: 'json',
      era: 'sessions',
      sessions: false,
      tools: [tool('stays'), tool('changes'), tool('goes')],
    });
    const proxy = await createTarget();
    await discover(proxy);
    for (const toolName of ['stays', 'changes', 'goes']) {
      const params = { id: proxy.id, toolName };
      await management.admin.data(switchTool, { params, body: { enabled: true } });
    }
    const heard: unknown[] = [];
    await management.infrastructure.coordination.bus.subscribe(liveEventsTopic, (event) => heard.push(event));
    peer.behave({ tools: [tool('stays'), tool('changes', 'Something else'), tool('comes')] });
    const found = await discover(proxy);
    expect(found).toMatchObject({
      discovered: 3,
      new_tools: ['comes'],
      changed_tools: ['changes'],
      missing_tools: ['goes'],
    });
    expect(found.tools.map(({ name, enabled, held, description }) => [name, enabled, held, description])).toEqual([
      ['changes', false, true, 'Does changes'],
      ['comes', false, false, 'Does comes'],
      ['goes', true, false, 'Does goes'],
      ['stays', true, false, 'Does stays'],
    ]);
    expect(found.held_tools).toEqual(['changes']);
    expect(found.tools.find(({ name }) => name === 'goes')?.missing_since).not.toBeNull();
    const discovered = () => heard.filter((event) => JSON.stringify(event).includes('"tool_discovered"'));
    await waitFor(() => discovered().length > 0, { what: 'the event' });
    expect(discovered()).toMatchObject([
      {
        type: 'tool_discovered',
        payload: { proxy_id: proxy.id, proxy_name: proxy.name, name: 'comes', enabled: false },
      },
    ]);
    const { kysely } = management.infrastructure.database;
    const row = await kysely
      .selectFrom('audit_log')
      .select(['event_type', 'details'])
      .where('event_type', '=', 'mcp.tool.discovered')
      .orderBy('id', 'desc')
      .executeTakeFirst();
    expect(row).toMatchObject({
      details: { new_tools: ['comes'], changed_tools: ['changes'], missing_tools: ['goes'] },
    });
  });

  test.each([
    { transport: 'http', at: 'sse', hint: /the transport of the proxy is http, .* set it to sse or websocket/ },
    { transport: 'sse', at: 'http', hint: /the transport of the proxy is sse, .* set it to http or websocket/ },
    { transport: 'websocket', at: 'http', hint: /the transport of the proxy is websocket, .* set it to http or sse/ },
  ] as const)(
    'hints at the transport where $transport is spoken to one that speaks $at',
    async ({ transport, at, hint }) => {
      await using talking = await startServerInitiatedMcpPeer();
      const proxy = await createTarget(talking.endpoints[at], { transport });
      expect(await management.admin.refusal(discoverTools, { params: proxy })).toMatchObject({
        status: 502,
        message: expect.stringMatching(hint),
      });
    },
  );

  test('says why it failed, and leaves everything as it was', async () => {
    const refuse = async (target: string, fields: object = {}) =>
      management.admin.refusal(discoverTools, { params: await createTarget(target, fields) });
    expect(await refuse('http://127.0.0.1:9/mcp')).toMatchObject({ status: 502, error_code: 'BAD_GATEWAY' });
    expect(await refuse(`${peer.url}/nothing`)).toMatchObject({
      status: 502,
      message: expect.stringMatching(
        /^The target answered initialize with status 404 \(the transport of the proxy is http, /,
      ),
    });
    await using strange = await startLoopbackPeer((_, response) => answer(response, 200, 'hello'));
    expect(await refuse(strange.url)).toMatchObject({
      status: 502,
      message: 'The target did not answer with a JSON-RPC message',
    });
    const atRoot = await createTarget(peer.url);
    expect(await discover(atRoot)).toMatchObject({ discovered: 3 });
    expect(await refuse(peer.endpoint, { transport: 'websocket' })).toMatchObject({ status: 502 });
    expect(await refuse(peer.endpoint, { type: 'llm' })).toMatchObject({
      status: 400,
      message: expect.stringContaining('is not an MCP proxy'),
    });
    expect(await management.admin.status(discoverTools, { params: { id: 999_999 } })).toBe(404);
    const operator = management.anonymous.as(await management.signIn('operator'));
    expect(await operator.status(discoverTools, { params: { id: 1 } })).toBe(403);
  });
});
