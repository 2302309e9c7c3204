import { describe, expect, test } from '@jest/globals';
import { compileOriginList } from '@portcullis/core/network/origin-list';
import { startServerInitiatedMcpPeer } from '@portcullis/testkit/server-initiated-mcp-peer';
import { WebSocket } from 'ws';
import { goodKey, listen, startProxy } from './start-proxy.ts';
import { listRequest, send, startToolTarget } from './tool-target.ts';

const answer = () => '{"jsonrpc":"2.0","id":1,"result":{}}';
const headersOf = (origin: string) => ({ 'content-type': 'application/json', 'x-api-key': goodKey, origin });

describe('a page in a browser', () => {
  test.each(['https://evil.example', 'null', 'http://localhost.evil.example', 'chrome-extension://abc'])(
    'of %s is refused, with the id of its request',
    async (origin) => {
      await using target = await startToolTarget(answer);
      await using proxy = await startProxy({ target: target.origin, proxy: { type: 'mcp' } });
      const response = await send(proxy, { ...listRequest, id: 'seven' }, { headers: headersOf(origin) });
      expect([response.status, await response.json()]).toEqual([
        403,
        {
          jsonrpc: '2.0',
          id: 'seven',
          error: {
            code: -32_000,
            message: 'This origin does not have access to this proxy',
            data: expect.objectContaining({
              error_code: 'FORBIDDEN',
              detail: expect.stringContaining('allowed_origins'),
            }),
          },
        },
      ]);
      for (const method of ['GET', 'DELETE', 'OPTIONS'])
        expect((await fetch(`${proxy.origin}/mcp`, { method, headers: { origin } })).status).toBe(403);
      expect(target.seen).toEqual([]);
    },
  );

  test.each(['http://localhost:6274', 'http://127.0.0.1', 'https://[::1]:8443', 'vscode-webview://1x2y'])(
    'of %s is served',
    async (origin) => {
      await using target = await startToolTarget(answer);
      await using proxy = await startProxy({ target: target.origin, proxy: { type: 'mcp' } });
      expect((await send(proxy, listRequest, { headers: headersOf(origin) })).status).toBe(200);
    },
  );

  test('is judged by the list of the proxy, where it has one', async () => {
    await using target = await startToolTarget(answer);
    const allowsOrigin = compileOriginList(['https://app.example']);
    await using proxy = await startProxy({ target: target.origin, proxy: { type: 'mcp', allowsOrigin } });
    const ask = async (origin: string) => (await send(proxy, listRequest, { headers: headersOf(origin) })).status;
    expect([await ask('https://app.example'), await ask('http://localhost:1')]).toEqual([200, 403]);
  });

  test('opens no WebSocket from elsewhere', async () => {
    await using peer = await startServerInitiatedMcpPeer();
    await using proxy = await startProxy({ target: peer.url, proxy: { type: 'mcp' } });
    const status = await new Promise<number | undefined>((resolve) => {
      const socket = new WebSocket(`${proxy.origin.replace('http', 'ws')}/ws`, {
        headers: headersOf('https://evil.example'),
      });
      socket.on('error', () => undefined);
      socket.once('unexpected-response', (_request, response) => resolve(response.statusCode));
      socket.once('open', () => resolve(101));
    });
    expect(status).toBe(403);
    expect(peer.upgrades).toEqual([]);
  });

  test('may come from anywhere to a proxy of LLM', async () => {
    await using target = await listen((_request, response) => void response.end('{}'));
    await using proxy = await startProxy({ target: target.origin });
    expect((await send(proxy, {}, { headers: headersOf('https://app.example') })).status).toBe(200);
  });
});
