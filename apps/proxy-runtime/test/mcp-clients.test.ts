import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { findFreePort } from '@portcullis/testkit/free-port';
import { housePolicy } from './mcp-block-policy.ts';
import { goodKey, listen, startProxy, type StartOptions } from './start-proxy.ts';
import { callRequest, knownTools, send, tool } from './tool-target.ts';

interface Heard {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A target that answers everything in one way, and what came to it. */
async function startTarget(status: number, type: string, body: string, headers: Readonly<Record<string, string>> = {}) {
  const heard: Heard[] = [];
  const peer = await listen((request, response) => {
    void text(request).then((received) => {
      const { method = '', url = '' } = request;
      heard.push({ method, url, headers: request.headers, body: received });
      response.writeHead(status, { 'content-type': type, ...headers }).end(body);
    });
  });
  return { ...peer, heard };
}

const result = (value: object): string => JSON.stringify({ jsonrpc: '2.0', id: 1, result: value });
const startMcp = (target: { readonly origin: string }, options: Partial<StartOptions> = {}) =>
  startProxy({ target: target.origin, ...options, proxy: { type: 'mcp', ...options.proxy } });

describe('clients that find out what a server speaks', () => {
  test('are told 401 without a key, and not to sign in anywhere', async () => {
    await using target = await startTarget(200, 'application/json', result({}));
    await using proxy = await startMcp(target);
    for (const method of ['POST', 'GET', 'DELETE']) {
      const answer = await fetch(`${proxy.origin}/mcp`, { method });
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="gateway"']);
    }
    expect(target.heard).toEqual([]);
  });

  test.each([
    ['text/plain', 'Bad Request: Unsupported protocol version'],
    ['application/json', '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request"}, "x":1.0}'],
    ['application/json', '{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"x","data":{"supported":[]}}}'],
  ])('get the 400 of the server as it is, %s %s', async (type, body) => {
    await using target = await startTarget(400, type, body);
    await using proxy = await startMcp(target, { policies: [housePolicy] });
    const answer = await send(proxy, { jsonrpc: '2.0', id: 1, method: 'server/discover' });
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([400, type, body]);
  });

  test('get the statuses of the server, and its challenge', async () => {
    for (const status of [401, 404, 405]) {
      await using target = await startTarget(status, 'text/plain', 'no', { 'www-authenticate': 'Bearer realm="x"' });
      await using proxy = await startMcp(target);
      const answer = await send(proxy, undefined, { method: 'GET', body: null });
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([status, 'Bearer realm="x"']);
    }
  });

  test('have every method and path passed on as they are', async () => {
    await using target = await startTarget(200, 'application/json', '{}');
    await using proxy = await startMcp(target);
    for (const method of ['POST', 'GET', 'DELETE', 'OPTIONS']) {
      await fetch(`${proxy.origin}/mcp/some%20where?a=%2F`, { method, headers: { 'x-api-key': goodKey } });
    }
    expect(target.heard.map(({ method, url }) => `${method} ${url}`)).toEqual(
      ['POST', 'GET', 'DELETE', 'OPTIONS'].map((method) => `${method} /mcp/some%20where?a=%2F`),
    );
  });

  test('learn that the target is away, or too slow, with the id of their request', async () => {
    await using unreachable = await startMcp({ origin: `http://127.0.0.1:${await findFreePort()}` });
    const answer = await send(unreachable, { jsonrpc: '2.0', id: 'seven', method: 'ping' });
    expect([answer.status, await answer.json()]).toMatchObject([502, { jsonrpc: '2.0', id: 'seven' }]);
    await using silent = await listen(() => undefined);
    await using proxy = await startMcp(silent, { headersTimeoutMs: 50 });
    const late = await send(proxy, { jsonrpc: '2.0', id: 8, method: 'ping' });
    expect([late.status, await late.json()]).toMatchObject([504, { jsonrpc: '2.0', id: 8 }]);
  });
});

describe('a call', () => {
  test('takes the headers along that its client mirrors and that are not known here', async () => {
    await using target = await startTarget(200, 'application/json', result({}));
    await using proxy = await startMcp(target, { policies: [housePolicy] });
    const given = {
      'mcp-param-region': '=?base64?WsO8cmljaA==?=',
      'mcp-param-future': 'x',
      'mcp-method': 'tools/call',
      'mcp-name': 'open',
      'mcp-protocol-version': '2026-07-28',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    };
    const headers = { 'x-api-key': goodKey, 'content-type': 'application/json', ...given };
    await send(proxy, callRequest('open'), { headers });
    expect(target.heard[0]?.headers).toMatchObject(given);
  });

  test('that needs several rounds carries its state back byte for byte', async () => {
    const requestState = 'eyJ\u00e4 \\u003c/>\u2028 12345678901234567890';
    const round = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":${JSON.stringify(requestState)},"inputRequests":{"a":{"method":"roots/list","params":{}}}}}`;
    await using target = await startTarget(200, 'application/json', round);
    const tools = knownTools([[tool('open')]]);
    await using proxy = await startMcp(target, { policies: [housePolicy], proxy: { tools } });
    expect(await (await send(proxy, callRequest('open'))).text()).toBe(round);
    const params = `{"name":"open","requestState":${JSON.stringify(requestState)},"inputResponses":{"a":{"roots":[]}}}`;
    const retry = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":${params}}`;
    await send(proxy, retry);
    expect(target.heard[1]?.body).toBe(retry);
  });

  test('without any parameters is a call, too', async () => {
    await using target = await startTarget(200, 'application/json', result({}));
    await using proxy = await startMcp(target, { policies: [housePolicy], proxy: { tools: knownTools([]) } });
    const bare = '{"jsonrpc":"2.0","id":1,"method":"initialize"}';
    expect((await send(proxy, bare)).status).toBe(200);
    expect(target.heard[0]?.body).toBe(bare);
  });
});
