import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { SocketTransport } from '@portcullis/testkit/socket-transport';
import {
  startServerInitiatedMcpPeer,
  wires,
  type ServerInitiatedMcpPeer,
  type Wire,
} from '@portcullis/testkit/server-initiated-mcp-peer';
import type { TestGateway } from '@portcullis/testkit/test-gateway';
import { waitFor } from '@portcullis/testkit/wait-for';
import { enableTools, setUpProxy, type ReadyProxy } from './set-up-proxy.ts';
import { startGateway } from './start-gateway.ts';

let peer: ServerInitiatedMcpPeer;
let gateway: TestGateway;
let proxy: ReadyProxy;

beforeAll(async () => {
  peer = await startServerInitiatedMcpPeer();
  gateway = await startGateway('services', { RUNTIME_WORKERS: '3' });
  proxy = await setUpProxy(gateway.admin, peer.url, { type: 'mcp' });
  await enableTools(gateway.admin, proxy.id, 'add');
  // It is answered when every worker has followed, and so knows of the tools.
  await gateway.admin.expect('POST', `/proxies/${proxy.id}/restart`);
});
afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
  await peer?.[Symbol.asyncDispose]();
});

/** Statuses of messages that were refused by them. */
const refused: number[] = [];

/** Each message on a connection of its own, so that the workers get them in turn. */
const scattered = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
  const headers = new Headers(init.headers);
  headers.set('connection', 'close');
  const response = await fetch(url, { ...init, headers });
  if (init.method === 'POST' && !response.ok) refused.push(response.status);
  return response;
};

const transportFor = (wire: Wire): Transport => {
  const headers = { 'x-api-key': proxy.key };
  const options = { requestInit: { headers }, fetch: scattered };
  if (wire === 'http') return new StreamableHTTPClientTransport(new URL(`${proxy.url}/mcp`), options);
  if (wire === 'sse') return new SSEClientTransport(new URL(`${proxy.url}/sse`), options);
  return new SocketTransport(`${proxy.url.replace('http', 'ws')}/ws`, headers);
};

interface OpenClient {
  readonly client: Client;
  readonly transport: Transport;
  readonly conversation: ServerInitiatedMcpPeer['conversations'][number];
}

async function connect(wire: Wire): Promise<OpenClient> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler('elicitation/create', ({ params }) => ({
    action: 'accept',
    content: { said: params.message },
  }));
  const transport = transportFor(wire);
  const before = peer.conversations.length;
  await client.connect(transport);
  const conversation = await waitFor(() => peer.conversations[before]?.canSpeak && peer.conversations[before], {
    what: 'the way to the client',
  });
  return { client, transport, conversation };
}

describe.each(wires)('three workers serve clients over %s', (wire) => {
  test('whichever of them gets a message: it is in its session, asked and answered, and refused where the client waits', async () => {
    const { client, conversation } = await connect(wire);
    for (let round = 0; round < 8; round += 1) {
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo']);
      await expect(client.callTool({ name: 'add', arguments: { a: 1, b: 2 } })).rejects.toThrow('Unknown tool: add');
      const text = `round ${round}`;
      expect(await client.callTool({ name: 'echo', arguments: { text } })).toMatchObject({ content: [{ text }] });
      const message = `question ${round}`;
      const answer = await conversation.ask('elicitation/create', {
        message,
        requestedSchema: { type: 'object', properties: { said: { type: 'string' } } },
      });
      expect(answer).toMatchObject({ result: { content: { said: message } } });
    }
    // Clients of the older transport may take a status for the end of everything.
    expect(refused).toEqual([]);
    await client.close();
  });
});

test('every worker tells its listeners of other tools, and ends them with their key', async () => {
  const told = new Set<OpenClient>();
  const open: OpenClient[] = [];
  for (const wire of [...wires, ...wires, ...wires]) {
    const opened = await connect(wire);
    opened.client.setNotificationHandler('notifications/tools/list_changed', () => void told.add(opened));
    open.push(opened);
  }
  await gateway.admin.expect('PUT', `/proxies/${proxy.id}/tools/add`, { enabled: true });
  await waitFor(() => told.size === open.length, { what: 'all to be told' });
  await gateway.admin.expect('POST', `/api-keys/${proxy.keyId}/revoke`);
  await waitFor(() => open.every(({ conversation }) => !conversation.canSpeak), { what: 'all to end' });
  const sockets = open.flatMap(({ transport }) => (transport instanceof SocketTransport ? [transport] : []));
  await waitFor(() => sockets.every(({ closedWith }) => closedWith !== undefined), { what: 'the codes' });
  expect(sockets.map(({ closedWith }) => closedWith)).toEqual([1_008, 1_008, 1_008]);
  await Promise.all(open.map(({ client }) => client.close()));
});
