import { describe, expect, test } from '@jest/globals';
import { startMcpPeer, type McpPeer } from './mcp-peer.ts';

const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

async function post(peer: McpPeer, body: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(peer.endpoint, {
    method: 'POST',
    headers: { ...usual, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await answer.text();
  const json = text.startsWith('event: message\ndata: ') ? text.slice(21) : text;
  return { status: answer.status, headers: answer.headers, body: json === '' ? undefined : JSON.parse(json) };
}

const call = (method: string, params?: unknown, id: number | string = 1) => ({ jsonrpc: '2.0', id, method, params });

describe.each(['json', 'sse'] as const)('answering %s', (answers) => {
  test('initializes, lists and calls tools', async () => {
    await using peer = await startMcpPeer({ answers });
    const opened = await post(peer, call('initialize', { protocolVersion: '2025-06-18', capabilities: {} }));
    expect(opened.headers.get('content-type')).toBe(answers === 'sse' ? 'text/event-stream' : 'application/json');
    expect(opened.body).toMatchObject({
      id: 1,
      result: { protocolVersion: '2025-06-18', serverInfo: { name: 'peer' } },
    });
    expect(await post(peer, { jsonrpc: '2.0', method: 'notifications/initialized' })).toMatchObject({ status: 202 });

    const listed = await post(peer, call('tools/list', {}, 'a'));
    expect(listed.body.result.tools.map((tool: { name: string }) => tool.name)).toEqual(['echo', 'add']);
    expect(listed.body.result.tools[0]).not.toHaveProperty('call');

    const sum = await post(peer, call('tools/call', { name: 'add', arguments: { a: 2, b: 3 } }));
    expect(sum.body.result).toEqual({ content: [{ type: 'text', text: '5' }], isError: false });
    expect((await post(peer, call('ping', undefined, 7))).body).toEqual({ jsonrpc: '2.0', id: 7, result: {} });
  });
});

test('a client of an unknown revision is offered the newest', async () => {
  await using peer = await startMcpPeer();
  const { body } = await post(peer, call('initialize', { protocolVersion: '1999-01-01' }));
  expect(body.result.protocolVersion).toBe('2025-11-25');
});

test.each([
  ['an unknown method', call('tools/burn'), { error: { code: -32_601 } }],
  ['an unknown tool', call('tools/call', { name: 'rm' }), { error: { code: -32_602, message: 'Unknown tool: rm' } }],
  ['a missing argument', call('tools/call', { name: 'add', arguments: { a: 1 } }), { result: { isError: true } }],
])('answers %s with its id', async (_what, message, body) => {
  await using peer = await startMcpPeer();
  expect(await post(peer, message)).toMatchObject({ status: 200, body: { jsonrpc: '2.0', id: 1, ...body } });
});

test.each([
  ['{', {}, 400, -32_700],
  [[], {}, 400, -32_600],
  [{ id: 1, method: 'ping' }, {}, 400, -32_600],
  [call('ping'), { accept: 'application/json' }, 406, -32_600],
  [call('ping'), { 'content-type': 'text/plain' }, 415, -32_600],
  [call('ping'), { 'mcp-protocol-version': '2030-01-01' }, 400, -32_600],
])('refuses %j with %j', async (message, headers, status, code) => {
  await using peer = await startMcpPeer();
  expect(await post(peer, message, headers)).toMatchObject({ status, body: { id: null, error: { code } } });
});

test('a session has to be named, lives until deleted, and there is no stream on GET', async () => {
  await using peer = await startMcpPeer({ sessions: true });
  const opened = await post(peer, call('initialize', {}));
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  expect((await post(peer, call('ping'))).status).toBe(400);
  expect((await post(peer, call('ping'), session)).status).toBe(200);
  expect((await fetch(peer.endpoint, { headers: session })).status).toBe(405);
  expect((await fetch(peer.endpoint, { method: 'DELETE', headers: session })).status).toBe(200);
  expect((await post(peer, call('ping'), session)).status).toBe(404);
});

test('serves the tools it is given, also when they change', async () => {
  const tool = (description: string) => ({
    name: 'secret',
    description,
    inputSchema: { type: 'object' },
    call: () => {
      throw new Error('vault closed');
    },
  });
  await using peer = await startMcpPeer({ tools: [tool('reads a secret')] });
  const { body } = await post(peer, call('tools/call', { name: 'secret' }));
  expect(body.result).toEqual({ content: [{ type: 'text', text: 'Error: vault closed' }], isError: true });
  peer.behave({ tools: [tool('reads every secret')] });
  expect((await post(peer, call('tools/list'))).body.result.tools[0].description).toBe('reads every secret');
});
