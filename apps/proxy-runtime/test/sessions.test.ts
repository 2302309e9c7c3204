import { expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { startServerInitiatedMcpPeer } from '@portcullis/testkit/server-initiated-mcp-peer';
import { goodKey, listen, secondKey, startProxy, type RunningProxy } from './start-proxy.ts';
import { recordsOf } from './tool-target.ts';

const answer = JSON.stringify({ choices: [], model: 'm', usage: { prompt_tokens: 1, completion_tokens: 2 } });
const listenToChats = () =>
  listen((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
  });

const chat = (proxy: RunningProxy, words: readonly string[], headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${proxy.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'x-api-key': goodKey, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({
      model: 'm',
      messages: words.map((content, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content })),
    }),
  }).then((response) => response.text());

const sessionsOf = (proxy: RunningProxy, kind: 'request_log' | 'usage') =>
  recordsOf(proxy, kind).map((record) => ('session_id' in record ? record.session_id : undefined));

test('requests and usage of one conversation are recorded as one session, those of another key as another', async () => {
  await using target = await listenToChats();
  await using proxy = await startProxy({ target: target.origin });
  await chat(proxy, ['Why?']);
  await chat(proxy, ['Why?', 'Because.', 'Really?']);
  await chat(proxy, ['Why?'], { 'x-api-key': secondKey });
  await chat(proxy, ['How?']);
  const [first, ...others] = sessionsOf(proxy, 'request_log');
  expect(first).toMatch(/^conversation_/);
  expect(others[0]).toBe(first);
  expect(new Set([first, ...others]).size).toBe(3);
  expect(sessionsOf(proxy, 'usage')).toEqual([first, ...others]);
});

test('what is refused to a known caller belongs to its session, what is refused to strangers to none', async () => {
  await using target = await listenToChats();
  await using proxy = await startProxy({ target: target.origin });
  const session = { 'x-session-id': 'task-1' };
  await chat(proxy, ['Why?'], session);
  await fetch(`${proxy.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'x-api-key': goodKey, 'content-type': 'application/json', ...session },
    body: '{"messages": ',
  });
  await chat(proxy, ['Why?'], { ...session, 'x-api-key': 'unknown' });
  const [first, refused, stranger] = sessionsOf(proxy, 'request_log');
  expect(first).toMatch(/^agent_/);
  expect(refused).toBe(first);
  expect(stranger).toBeUndefined();
  const [log] = recordsOf(proxy, 'request_log');
  expect(log).toMatchObject({ target_wait_ms: expect.any(Number) });
});

test('a session of MCP has all its messages, the first that begins it among them', async () => {
  await using peer = await startServerInitiatedMcpPeer();
  await using proxy = await startProxy({ target: peer.url, proxy: { type: 'mcp' } });
  const client = new Client({ name: 'test', version: '1.0.0' });
  const requestInit = { headers: { 'x-api-key': goodKey } };
  const transport = new StreamableHTTPClientTransport(new URL(`${proxy.origin}/mcp`), { requestInit });
  await client.connect(transport);
  await client.listTools();
  await transport.terminateSession();
  await client.close();
  const sessions = sessionsOf(proxy, 'request_log');
  expect(sessions.length).toBeGreaterThanOrEqual(3);
  expect(new Set(sessions).size).toBe(1);
  expect(sessions[0]).toMatch(/^mcp_/);
});
