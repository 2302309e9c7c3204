import { once } from 'node:events';
import { createServer, request as send, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Exact } from '@portcullis/contracts/fields';
import type { McpServerSettings } from '@portcullis/contracts/settings';
import { defineTool } from '@portcullis/contracts/tools/tool-contract';
import { Type } from 'typebox';
import { silentLog } from '../../test/test-database.ts';
import { parseConfigOrThrow } from '../config/config.ts';
import { createInProcessBuckets } from '../coordination/in-process/buckets.ts';
import { createInProcessBus } from '../coordination/in-process/bus.ts';
import { createClientAddress } from '../http/client-address.ts';
import { GatewayError } from '../http/gateway-error.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { createMcpEndpoint, type McpEndpointParts } from './mcp-endpoint.ts';
import { bindTool } from './mcp-tool.ts';

const opened = new AsyncDisposableStack();
const refused: string[] = [];
const calm: McpServerSettings = { require_auth: false, requests_per_minute: 0, allowed_hosts: [] };
let settings = calm;
let clockMs = 0;
let port: number;
let prepared = 0;

const greet = bindTool(
  defineTool({
    name: 'greet',
    title: 'Greet',
    description: 'Greets.',
    input: Exact({ name: Type.String({ minLength: 1, maxLength: 10 }) }),
    output: Exact({ greeting: Type.String() }),
    hints: { readOnly: true },
  }),
  async ({ name }, from) => {
    if (name === 'stranger') throw new GatewayError('not_found', { message: 'There is no "stranger"' });
    if (name === 'fault') throw new Error('a secret of the inside');
    const caller = await from.identify();
    return { data: { greeting: `Hello ${name} from ${caller?.kind ?? from.clientName ?? 'a stranger'}` } };
  },
);

const archive = Uint8Array.from({ length: 1_000_001 }, (_, index) => (index * 7) % 256);

const take = bindTool(
  defineTool({
    name: 'take',
    title: 'Take',
    description: 'Hands out bytes.',
    input: Exact({}),
    output: Exact({ content: Type.String() }),
    hints: { readOnly: true },
  }),
  async (_input, from) => ({ data: { content: from.attach(archive) }, text: 'bytes' }),
);

beforeAll(async () => {
  const config = { ...parseConfigOrThrow({ JWT_SECRET: 'j'.repeat(40), PUBLIC_URL: 'https://gateway.example.com' }) };
  const parts: McpEndpointParts = {
    infrastructure: {
      config: config as McpEndpointParts['infrastructure']['config'],
      coordination: { buckets: createInProcessBuckets(), bus: createInProcessBus(silentLog) },
      metrics: createMetrics(),
    },
    api: {
      authentication: {
        browser: () => Promise.resolve(undefined),
        user: () => Promise.reject(new GatewayError('invalid_token')),
        apiKey: async (key) => {
          if (key !== 'gw_good') throw new GatewayError('key_unknown');
          return { kind: 'api_key', id: 1, name: 'ci', groupId: 1 };
        },
      },
      clientAddress: createClientAddress([]),
      allowsOrigin: (origin) => origin === 'https://console.example.com',
      refused: ({ error }) => void refused.push(error.reason),
    },
    log: silentLog,
    loadSettings: async () => settings,
    now: () => clockMs,
    definition: {
      name: 'test',
      title: 'Test',
      instructions: 'Greets.',
      tools: [greet, take],
      prepare: async () => (prepared += 1),
    },
    path: '/mcp/test',
    maxBodyBytes: 2_000,
  };
  const endpoint = opened.use(createMcpEndpoint(parts));
  await endpoint.start();
  // What takes the main loop long is read before anyone waits for it.
  expect(prepared).toBe(1);
  const server = createServer(endpoint.serve).listen(0, '127.0.0.1');
  opened.defer(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterAll(async () => {
  await opened.disposeAsync();
  expect(prepared).toBe(1);
});
beforeEach(() => use(calm));

/** Puts settings in force. */
function use(next: McpServerSettings): void {
  settings = next;
  clockMs += 2_000;
  refused.length = 0;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Record<string, Record<string, unknown>>;
}

/** With `node:http`, which lets a caller choose the header Host. */
async function ask(method: string, headers: Record<string, string> = {}, body?: unknown): Promise<Answer> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const request = send({ host: '127.0.0.1', port, method, path: '/', headers: { ...type, ...headers } });
  request.end(typeof body === 'string' || body === undefined ? body : JSON.stringify(body));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const { statusCode: status = 0, headers: answered } = response;
  if (answered['content-type'] === 'text/event-stream') {
    response.destroy();
    return { status, headers: answered, body: {} };
  }
  const said = await text(response);
  return { status, headers: answered, body: said === '' ? {} : (JSON.parse(said) as Answer['body']) };
}

const post = (method: string, params?: object, headers: Record<string, string> = {}) =>
  ask('POST', headers, { jsonrpc: '2.0', id: 1, method, ...(params && { params }) });
const call = (input: unknown, headers: Record<string, string> = {}) =>
  post('tools/call', { name: 'greet', arguments: input }, headers);

test('initialize without parameters is answered in the oldest revision', async () => {
  const { status, headers, body } = await post('initialize');
  expect(status).toBe(200);
  expect(headers['mcp-session-id']).toMatch(/^[\x21-\x7e]+$/);
  expect(body['result']).toMatchObject({
    protocolVersion: '2024-11-05',
    serverInfo: { name: 'test' },
    capabilities: { tools: {} },
    instructions: 'Greets.',
  });
});

test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('%s is spoken when asked for', async (version) => {
  const { body } = await post('initialize', { protocolVersion: version, clientInfo: { name: 'c', version: '1' } });
  expect(body['result']).toMatchObject({ protocolVersion: version });
});

test('an unknown revision is answered with the newest that begins with initialize', async () => {
  const { body } = await post('initialize', { protocolVersion: '2099-01-01' });
  expect(body['result']).toMatchObject({ protocolVersion: '2025-11-25' });
});

test('a tool is called without a session, and answers text, data and siblings', async () => {
  const { status, body } = await call({ name: 'Ada' });
  expect(status).toBe(200);
  expect(body['result']).toEqual({
    greeting: 'Hello Ada from a stranger',
    structuredContent: { greeting: 'Hello Ada from a stranger' },
    content: [{ type: 'text', text: '{\n  "greeting": "Hello Ada from a stranger"\n}' }],
  });
});

test('a message of 2026-07-28 needs no session either', async () => {
  const version = '2026-07-28';
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'modern', version: '1' },
  };
  const headers = { 'mcp-protocol-version': version, 'mcp-method': 'tools/call', 'mcp-name': 'greet' };
  const called = await post('tools/call', { name: 'greet', arguments: { name: 'Ada' }, _meta }, headers);
  expect(called.body['result']).toMatchObject({ resultType: 'complete', greeting: 'Hello Ada from modern' });
  const listed = await post('tools/list', { _meta }, { ...headers, 'mcp-method': 'tools/list' });
  expect(listed.body['result']).toMatchObject({
    cacheScope: 'public',
    tools: [
      { name: 'greet', inputSchema: { type: 'object', required: ['name'] }, outputSchema: { type: 'object' } },
      { name: 'take' },
    ],
  });
  expect((await ask('GET', { 'mcp-protocol-version': version, accept: 'text/event-stream' })).status).toBe(405);
});

test.each([
  [{}, {}],
  [
    { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'take' },
    {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  ],
])('bytes that a tool attaches come in base64, in the data and beside it: %j', async (headers, meta) => {
  const { body } = await post('tools/call', { name: 'take', arguments: {}, ...meta }, headers);
  const content = Buffer.from(archive).toString('base64');
  expect(body['result']).toMatchObject({ content: [{ text: 'bytes' }], structuredContent: { content } });
});

test.each([
  [{}, 'name is required'],
  [{ name: '' }, 'name must not be empty'],
  [{ name: 'A'.repeat(11) }, 'name must have at most 10 characters'],
  [{ name: 'A', nane: 1 }, 'nane is not a known field'],
  [{ name: 'stranger' }, 'There is no "stranger"'],
])('%j is a failed call that says why', async (input, message) => {
  const { status, body } = await call(input);
  expect([status, body['result']?.['isError']]).toEqual([200, true]);
  expect(JSON.stringify(body['result']?.['content'])).toContain(JSON.stringify(message).slice(1, -1));
});

test('a fault is told as such, without what is inside', async () => {
  const { body } = await call({ name: 'fault' });
  expect(body['result']).toMatchObject({ isError: true, content: [{ text: 'Internal error' }] });
  expect(JSON.stringify(body)).not.toContain('secret');
});

test('unknown tools and methods are errors of the protocol', async () => {
  expect((await post('tools/call', { name: 'other' })).body['error']).toMatchObject({ code: -32_602 });
  expect((await post('resources/list')).body['error']).toMatchObject({ code: -32_601 });
});

test('a session lasts until it is ended, and keeps the name of its client', async () => {
  const { headers } = await post('initialize', { clientInfo: { name: 'agent', version: '1' } });
  const session = { 'mcp-session-id': String(headers['mcp-session-id']) };
  expect((await call({ name: 'Ada' }, session)).body['result']).toMatchObject({ greeting: 'Hello Ada from agent' });
  const stream = await ask('GET', { ...session, accept: 'text/event-stream' });
  expect([stream.status, stream.headers['content-type']]).toEqual([200, 'text/event-stream']);
  expect((await ask('DELETE', session)).status).toBe(204);
  expect((await call({ name: 'Ada' }, session)).status).toBe(404);
  expect((await ask('GET', { ...session, accept: 'text/event-stream' })).status).toBe(404);
});

test.each([
  ['DELETE', {}, 400],
  ['DELETE', { 'mcp-session-id': 'made-up' }, 404],
  ['GET', { accept: 'application/json' }, 406],
  ['PUT', {}, 405],
  ['OPTIONS', {}, 204],
])('%s with %j is answered with %i', async (method, headers, status) => {
  expect((await ask(method, headers as Record<string, string>)).status).toBe(status);
});

test.each([
  [{ host: 'evil.example.com' }, 403],
  [{ host: 'gateway.example.com' }, 200],
  [{ host: 'also.example.com' }, 200],
  [{ origin: 'http://evil.example.com' }, 403],
  [{ origin: 'null' }, 403],
  [{ origin: 'https://console.example.com' }, 200],
  [{ origin: 'http://localhost:6274' }, 200],
  [{ origin: 'https://also.example.com', host: 'also.example.com' }, 200],
])('%j is answered with %i', async (headers, status) => {
  use({ ...calm, allowed_hosts: ['also.example.com'] });
  expect((await post('ping', undefined, headers as Record<string, string>)).status).toBe(status);
});

test('pages may send and read the headers of MCP', async () => {
  const { status, headers } = await ask('OPTIONS', {
    origin: 'https://console.example.com',
    'access-control-request-method': 'POST',
  });
  expect(status).toBe(204);
  expect(headers['access-control-allow-headers']).toContain('Mcp-Session-Id');
  expect(headers['access-control-expose-headers']).toContain('Mcp-Session-Id');
});

test('an address has a rate, in which each message of a batch counts', async () => {
  use({ ...calm, requests_per_minute: 4 });
  const batch = Array.from({ length: 3 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }));
  expect((await ask('POST', {}, batch)).status).toBe(200);
  expect((await post('ping')).status).toBe(200);
  const { status, headers, body } = await post('ping');
  expect([status, Number(headers['retry-after']) > 0]).toEqual([429, true]);
  expect(body['error']).toMatchObject({ data: { error_code: 'RATE_LIMIT_EXCEEDED' } });
  expect(refused).toEqual(['too_many_requests']);
});

test('clients must show who they are where that is required', async () => {
  use({ ...calm, require_auth: true });
  const { status, headers } = await post('tools/list');
  expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
  expect((await post('tools/list', undefined, { 'x-api-key': 'gw_bad' })).status).toBe(401);
  expect((await post('tools/list', undefined, { 'x-api-key': 'gw_good' })).status).toBe(200);
  expect((await ask('GET', { accept: 'text/event-stream' })).status).toBe(401);
});

test.each([
  ['{', { 'content-type': 'application/json' }, 400],
  ['{}', { 'content-type': 'text/plain' }, 415],
  [JSON.stringify({ a: 'x'.repeat(3_000) }), {}, 413],
])('the body %j is refused', async (body, headers, status) => {
  const answer = await ask('POST', headers, body);
  expect([answer.status, answer.body['error']?.['code']]).toEqual([status, expect.any(Number)]);
});
