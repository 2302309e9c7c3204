import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { Client, SSEClientTransport } from '@modelcontextprotocol/client';
import { housePolicy } from './mcp-block-policy.ts';
import { createInProcessBus } from '@portcullis/platform/coordination/in-process/bus';
import { createLogger } from '@portcullis/platform/log/logger';
import { waitFor } from '@portcullis/testkit/wait-for';
import {
  goodKey,
  listen,
  secondKey,
  startProxy,
  type Peer,
  type RunningProxy,
  type StartOptions,
} from './start-proxy.ts';
import { knownTools, recordsOf, tool } from './tool-target.ts';

const [open, closed] = [tool('open'), tool('closed')];
const tools = knownTools([[open], [closed, { enabled: false }]]);

interface RpcRequest {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name?: string; readonly protocolVersion?: string };
}

const answer = ({ method, params }: RpcRequest): object => {
  if (method === 'initialize') {
    const { protocolVersion } = params ?? {};
    return { result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'old', version: '1' } } };
  }
  if (method === 'tools/list') return { result: { tools: [open, closed] } };
  return { result: { content: [{ type: 'text', text: params?.name ?? '' }] } };
};

interface OlderTarget extends Peer {
  /** Paths that messages were sent to. */
  readonly posted: string[];
}

/** A server of the transport of 2024-11-05: a stream at /base/sse, and messages where `endpoint` says. */
async function startOlderTarget(endpoint: string | ((origin: string) => string)): Promise<OlderTarget> {
  const posted: string[] = [];
  let stream: ServerResponse | undefined;
  const peer = await listen((request, response) => {
    if (request.method === 'GET') {
      const address = typeof endpoint === 'string' ? endpoint : endpoint(peer.origin);
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
      stream.write(`event: endpoint\r\ndata: ${address}\r\n\r\n`);
      return;
    }
    posted.push(request.url ?? '');
    void text(request).then((body) => {
      const message = JSON.parse(body) as RpcRequest;
      response.writeHead(202).end('Accepted');
      if (message.id === undefined) return;
      stream?.write(
        `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answer(message) })}\n\n`,
      );
    });
  });
  return { ...peer, posted };
}

const startOlder = (target: Peer, base: string, options: Partial<StartOptions> = {}) =>
  startProxy({
    target: target.origin + base,
    policies: [housePolicy],
    ...options,
    proxy: { type: 'mcp', tools, blockResponse: 'jsonrpc', ...options.proxy },
  });

interface Detour {
  /** Another worker, to which the messages go. */
  readonly postsTo: RunningProxy;
  /** What they are answered with. */
  readonly statuses: number[];
}

async function connect(proxy: RunningProxy, path: string, detour?: Detour): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const requestInit = { headers: { 'x-api-key': goodKey } };
  const options = {
    requestInit,
    fetch: async (url: string | URL, init?: RequestInit) => {
      if (init?.method !== 'POST' || detour === undefined) return fetch(url, init);
      const response = await fetch(String(url).replace(proxy.origin, detour.postsTo.origin), init);
      detour.statuses.push(response.status);
      return response;
    },
  };
  await client.connect(new SSEClientTransport(new URL(proxy.origin + path), options));
  return client;
}

describe('the transport of 2024-11-05', () => {
  test.each([
    ['a path', '', '/sse', '/messages?session=1'],
    ['a relative one', '', '/mcp/sse', 'messages?session=1'],
    ['a whole address', '', '/sse', (origin: string) => `${origin}/messages?session=1`],
    ['within the base path', '/base', '/sse', '/base/messages?session=1'],
    ['beside the base path', '/base/sse', '/', '/messages?session=1'],
    ['beside the base path, as a whole address', '/base', '/sse', (origin: string) => `${origin}/messages?session=1`],
  ])('works with its official client, the endpoint given as %s', async (_form, base, path, endpoint) => {
    await using target = await startOlderTarget(endpoint);
    await using proxy = await startOlder(target, base);
    const client = await connect(proxy, path);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['open']);
    expect(await client.callTool({ name: 'open' })).toMatchObject({ content: [{ text: 'open' }] });
    await expect(client.callTool({ name: 'closed' })).rejects.toThrow('Unknown tool: closed');
    await expect(client.callTool({ name: 'open', arguments: { text: 'marzipan' } })).rejects.toThrow(
      'Request blocked by security policy',
    );
    expect(new Set(target.posted)).toHaveProperty('size', 1);
    expect(target.posted[0]).toMatch(/messages\?session=1$/);
    await client.close();
  });

  test('refusals reach the client on its stream, whichever worker refuses', async () => {
    await using target = await startOlderTarget('/messages?session=1');
    const shared = {
      secret: 'of both',
      bus: createInProcessBus(createLogger({ LOG_LEVEL: 'error', LOG_FORMAT: 'json' })),
    };
    await using streaming = await startOlder(target, '', { shared });
    await using posted = await startOlder(target, '', { shared });
    const statuses: number[] = [];
    const client = await connect(streaming, '/sse', { postsTo: posted, statuses });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['open']);
    await expect(client.callTool({ name: 'closed' })).rejects.toThrow('Unknown tool: closed');
    await expect(client.callTool({ name: 'open', arguments: { text: 'marzipan' } })).rejects.toThrow(
      'Request blocked by security policy',
    );
    await waitFor(() => recordsOf(posted, 'alert').length === 2, { what: 'the alerts' });
    // Some clients take a status that is no success for the end of everything.
    expect(new Set(statuses)).toEqual(new Set([202]));
    expect(await client.callTool({ name: 'open' })).toMatchObject({ content: [{ text: 'open' }] });
    await client.close();
  });

  test('an endpoint is good only for the key that it was announced to, and tells nothing of itself', async () => {
    await using target = await startOlderTarget('/messages?session=1');
    await using proxy = await startOlder(target, '');
    const headers = { 'x-api-key': goodKey, accept: 'text/event-stream' };
    const stream = await fetch(`${proxy.origin}/sse`, { headers });
    const { value } = (await stream.body?.getReader().read()) ?? {};
    const endpoint = /data: (.*)/.exec(Buffer.from(value ?? '').toString())?.[1] ?? '';
    expect(endpoint).toMatch(/^\/\.portcullis\/endpoint\/[\w.-]+$/);
    const post = (key: string) =>
      fetch(proxy.origin + endpoint, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      });
    expect((await post(secondKey)).status).toBe(404);
    expect(target.posted).toEqual([]);
    expect(recordsOf(proxy, 'alert')).toMatchObject([{ title: 'Session Of Another Key Used' }]);
    expect((await post(goodKey)).status).toBe(202);
    expect(target.posted).toEqual(['/messages?session=1']);
  });

  test('an endpoint of another origin is not passed on', async () => {
    await using target = await startOlderTarget('http://elsewhere.example/messages');
    await using proxy = await startOlder(target, '');
    const stream = await fetch(`${proxy.origin}/sse`, {
      headers: { 'x-api-key': goodKey, accept: 'text/event-stream' },
    });
    expect(await stream.text()).not.toContain('elsewhere');
  });

  test('no client makes up a way out of the base path', async () => {
    await using target = await startOlderTarget('/messages');
    await using proxy = await startOlder(target, '/base');
    const post = (path: string) =>
      fetch(proxy.origin + path, { method: 'POST', headers: { 'x-api-key': goodKey }, body: '{}' });
    expect((await post('/.portcullis/endpoint/AAAAAAAAAAAAAAAAAAAAAA/admin')).status).toBe(404);
    expect((await post('/.portcullis/endpoint/x')).status).toBe(404);
    expect(target.posted).toEqual([]);
  });
});
