import { describe, expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  startServerInitiatedMcpPeer,
  type ServerInitiatedMcpPeer,
} from '@portcullis/testkit/server-initiated-mcp-peer';
import { waitFor } from '@portcullis/testkit/wait-for';
import { doorsPolicy, forbidden } from './stream-block-policy.ts';
import { goodKey, secondKey, startProxy, type RunningProxy } from './start-proxy.ts';
import { carriers, recordsOf, startToolTarget } from './tool-target.ts';

const startMcp = (peer: ServerInitiatedMcpPeer) => startProxy({ target: peer.url, proxy: { type: 'mcp' } });

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

const ask = (proxy: RunningProxy, method: 'GET' | 'POST' | 'DELETE', headers: Readonly<Record<string, string>>) =>
  fetch(`${proxy.origin}/mcp`, {
    method,
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers },
    ...(method === 'POST' && { body: JSON.stringify(ping) }),
  });

/** Opens a session with the first key. */
async function connect(proxy: RunningProxy) {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const requestInit = { headers: { 'x-api-key': goodKey } };
  const transport = new StreamableHTTPClientTransport(new URL(`${proxy.origin}/mcp`), { requestInit });
  await client.connect(transport);
  return { client, transport, session: transport.sessionId ?? '' };
}

describe('a session', () => {
  test('belongs to its key only: neither used, nor listened to, nor ended with another one', async () => {
    await using peer = await startServerInitiatedMcpPeer();
    await using proxy = await startMcp(peer);
    const { client, transport, session } = await connect(proxy);
    const [conversation] = peer.conversations;
    await waitFor(() => conversation?.canSpeak, { what: 'the stream of the client' });
    expect(session).toMatch(/^[!-~]+$/);
    expect(session).not.toBe(conversation?.id);
    const asked = peer.requests.length;
    const stolen = { 'x-api-key': secondKey, 'mcp-session-id': session };
    for (const method of ['POST', 'GET', 'DELETE'] as const) {
      const answer = await ask(proxy, method, { ...stolen, 'last-event-id': '1' });
      const error = { code: -32_001, message: 'Session not found' };
      const id = method === 'POST' ? 1 : null;
      expect([answer.status, await answer.json()]).toMatchObject([404, { jsonrpc: '2.0', id, error }]);
    }
    expect(peer.requests).toHaveLength(asked);
    // Three of a kind are one incident, and all are in the log.
    expect(recordsOf(proxy, 'alert')).toMatchObject([{ title: 'Session Of Another Key Used', severity: 'High' }]);
    expect(recordsOf(proxy, 'audit')).toMatchObject([
      { event_type: 'security.suspicious.activity', actor_id: 6, result: 'failure' },
    ]);
    expect(
      recordsOf(proxy, 'request_log').filter(
        (log) => 'denied_reason' in log && log.denied_reason === 'session_foreign',
      ),
    ).toHaveLength(3);
    expect((await client.listTools()).tools).toHaveLength(2);
    await transport.terminateSession();
    expect(conversation?.ended).toBe(true);
    await client.close();
  });

  test('is known to clients by no other id than the one they were given', async () => {
    await using peer = await startServerInitiatedMcpPeer();
    await using proxy = await startMcp(peer);
    const { client, session } = await connect(proxy);
    const id = peer.conversations[0]?.id ?? '';
    for (const made of [id, 'none', `${session}x`, `x${session}`, `${session}, ${session}`]) {
      expect((await ask(proxy, 'POST', { 'x-api-key': goodKey, 'mcp-session-id': made })).status).toBe(404);
    }
    const answer = await ask(proxy, 'POST', { 'x-api-key': goodKey, 'mcp-session-id': session });
    expect([answer.status, answer.headers.get('mcp-session-id')]).toEqual([200, session]);
    expect(recordsOf(proxy, 'alert')).toEqual([]);
    await client.close();
  });

  test('that is left over keeps no client from beginning a new one', async () => {
    await using peer = await startServerInitiatedMcpPeer();
    await using proxy = await startMcp(peer);
    const answer = await fetch(`${proxy.origin}/mcp`, {
      method: 'POST',
      headers: { 'x-api-key': goodKey, 'content-type': 'application/json', 'mcp-session-id': 'of yesterday' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }),
    });
    expect(answer.status).toBe(200);
    expect(peer.requests[0]?.headers['mcp-session-id']).toBeUndefined();
    expect(answer.headers.get('mcp-session-id')).toContain(peer.conversations[0]?.id);
  });

  test('that the server has forgotten is answered as the server answers', async () => {
    await using peer = await startServerInitiatedMcpPeer();
    await using proxy = await startMcp(peer);
    const { client, session } = await connect(proxy);
    peer.conversations[0]?.end();
    const answer = await ask(proxy, 'POST', { 'x-api-key': goodKey, 'mcp-session-id': session });
    expect([answer.status, await answer.text()]).toEqual([404, 'Session not found']);
    await client.close();
  });

  test('is nothing to servers without sessions, which get no id of one', async () => {
    await using peer = await startServerInitiatedMcpPeer();
    await using proxy = await startMcp(peer);
    const modern = { 'x-api-key': goodKey, 'mcp-session-id': 'left over', 'mcp-protocol-version': '2026-07-28' };
    await ask(proxy, 'POST', modern);
    expect(peer.requests.map(({ headers }) => headers['mcp-session-id'])).toEqual([undefined]);
  });
});

describe('the state of a call that a server asks back for', () => {
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const round = (requestState: string) =>
    `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required", "requestState":${JSON.stringify(requestState)},"inputRequests":{},"n":1.0}}`;
  const stateIn = (text: string): string => /"requestState":"([^"]*)"/.exec(text)?.[1] ?? '';
  const call = (proxy: RunningProxy, key: string, params: object) =>
    fetch(`${proxy.origin}/mcp`, {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': '2026-07-28',
        'x-api-key': key,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'prompts/get', params: { name: 'p', ...params, _meta } }),
    });

  test.each(carriers)('belongs to its key, and the server gets it as it made it (%s)', async (carrier) => {
    const made = 'eyJ\u00e4 \\u003c/>\u2028 12345678901234567890';
    await using target = await startToolTarget(() => round(made), carrier);
    await using proxy = await startProxy({ target: target.origin, proxy: { type: 'mcp' } });
    const first = await (await call(proxy, goodKey, {})).text();
    const given = stateIn(first);
    expect(given).toMatch(/^1\.[\w-]+$/);
    expect(first).toContain(round(given));

    const stolen = await call(proxy, secondKey, { requestState: given });
    expect([stolen.status, await stolen.json()]).toMatchObject([
      403,
      { error: 'The request state was given to another key', error_code: 'FORBIDDEN', jsonrpc: '2.0', id: 1 },
    ]);
    expect(target.seen).toHaveLength(1);
    expect(recordsOf(proxy, 'alert')).toMatchObject([{ rule_id: 'MCP_FOREIGN_STATE', severity: 'High' }]);
    expect(recordsOf(proxy, 'audit')).toMatchObject([{ event_type: 'security.suspicious.activity' }]);

    // What was not given to anybody here is for the server to judge.
    for (const requestState of [given, `${given}x`, made, '']) {
      await call(proxy, goodKey, { requestState, inputResponses: {} });
      const params: unknown = JSON.parse(target.seen.at(-1) ?? '');
      const expected = requestState === given ? made : requestState;
      expect(params).toMatchObject({ params: { requestState: expected, inputResponses: {}, _meta } });
    }
  });

  test('is read by policies as the server made it', async () => {
    await using target = await startToolTarget(() => round(forbidden));
    await using proxy = await startProxy({ target: target.origin, policies: [doorsPolicy], proxy: { type: 'mcp' } });
    const answer = await call(proxy, goodKey, {});
    expect(await answer.text()).not.toContain('requestState');
  });
});
