import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { request as sendRequest, type IncomingMessage } from 'node:http';
import { goodKey, listen, startProxy } from './start-proxy.ts';

const page = 'http://localhost:6274';
const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

async function startTarget() {
  const heard: string[] = [];
  const peer = await listen((request, response) => {
    heard.push(`${request.method} ${request.url}`);
    request.resume();
    response
      .writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'one' })
      .end('{"jsonrpc":"2.0","id":1,"result":{}}');
  });
  return { ...peer, heard };
}

const listOf = (answer: Response, name: string): readonly string[] =>
  (answer.headers.get(name) ?? '').toLowerCase().split(', ');

test('a page of an allowed origin asks first, calls, and reads the answer', async () => {
  await using target = await startTarget();
  await using proxy = await startProxy({ target: target.origin, proxy: { type: 'mcp' } });
  const asked = await fetch(`${proxy.origin}/mcp`, {
    method: 'OPTIONS',
    headers: {
      origin: page,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization, mcp-protocol-version, mcp-session-id, mcp-param-city, cookie',
    },
  });
  expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, page]);
  expect(listOf(asked, 'access-control-allow-headers')).toEqual(
    expect.arrayContaining(['authorization', 'mcp-protocol-version', 'mcp-session-id', 'mcp-param-city']),
  );
  expect(listOf(asked, 'access-control-allow-headers')).not.toContain('cookie');
  expect(target.heard).toEqual([]);
  const headers = { origin: page, authorization: `Bearer ${goodKey}`, 'content-type': 'application/json' };
  const answer = await fetch(`${proxy.origin}/mcp`, { method: 'POST', headers, body: ping });
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, page]);
  expect(listOf(answer, 'access-control-expose-headers')).toContain('mcp-session-id');
  // It reads why it is refused, too.
  const refused = await fetch(`${proxy.origin}/mcp`, { method: 'POST', headers: { origin: page }, body: ping });
  expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, page]);
});

test('a page of another origin is refused, and nobody asks on behalf of a program', async () => {
  await using target = await startTarget();
  await using proxy = await startProxy({ target: target.origin, proxy: { type: 'mcp' } });
  for (const method of ['OPTIONS', 'POST']) {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST', 'x-api-key': goodKey };
    const answer = await fetch(`${proxy.origin}/mcp`, { method, headers });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  }
  const answer = await fetch(`${proxy.origin}/mcp`, {
    method: 'POST',
    headers: { 'x-api-key': goodKey, 'content-type': 'application/json' },
    body: ping,
  });
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, null]);
});

test("metadata that is not there is 404 to clients without a credential, and the target's own to others", async () => {
  await using target = await startTarget();
  await using proxy = await startProxy({ target: target.origin, proxy: { type: 'mcp' } });
  const at = `${proxy.origin}/.well-known/oauth-authorization-server`;
  const answer = await fetch(at, { headers: { origin: page } });
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([404, page]);
  expect(await answer.json()).toMatchObject({ success: false, error_code: 'NOT_FOUND' });
  expect(target.heard).toEqual([]);
  expect((await fetch(at, { headers: { 'x-api-key': goodKey } })).status).toBe(200);
  expect(target.heard).toEqual(['GET /.well-known/oauth-authorization-server']);
});

test('an upgrade to a WebSocket of an LLM port is told to go on with HTTP', async () => {
  await using target = await startTarget();
  await using proxy = await startProxy({ target: target.origin });
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    authorization: `Bearer ${goodKey}`,
  };
  const request = sendRequest(`${proxy.origin}/v1/responses`, { headers });
  request.end();
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  answer.resume();
  expect(answer.statusCode).toBe(426);
  expect(target.heard).toEqual([]);
  expect(proxy.spool.records.at(-1)).toMatchObject({ kind: 'request_log', denied_reason: 'no_sockets' });
});
