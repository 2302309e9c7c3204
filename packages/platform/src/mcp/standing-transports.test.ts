import { describe, expect, test } from '@jest/globals';
import { startLoopbackPeer } from '@portcullis/testkit/loopback-peer';
import {
  startServerInitiatedMcpPeer,
  type ServerInitiatedMcpPeer,
} from '@portcullis/testkit/server-initiated-mcp-peer';
import { waitFor } from '@portcullis/testkit/wait-for';
import { WebSocketServer } from 'ws';
import { listTargetTools, type ListToolsOptions } from './list-target-tools.ts';

const options = { allowPrivate: true, connectTimeoutMs: 60_000 };
const standing = ['sse', 'websocket'] as const;
type Standing = (typeof standing)[number];

const listFrom = (peer: ServerInitiatedMcpPeer, transport: Standing, changes: Partial<ListToolsOptions> = {}) =>
  listTargetTools({ url: peer.endpoints[transport], transport }, { ...options, ...changes });

/** A server of the transport of 2024-11-05 that says what it is given, and nothing more. */
async function listFromStream(text: string, changes: Partial<ListToolsOptions> = {}) {
  await using peer = await startLoopbackPeer((request, response) => {
    if (request.method === 'GET') response.writeHead(200, { 'content-type': 'text/event-stream' }).write(text);
    else response.writeHead(202).end();
  });
  return await listTargetTools({ url: peer.url, transport: 'sse' }, { ...options, timeoutMs: 60_000, ...changes });
}

describe.each(standing)('tools over %s', (transport) => {
  test('come while the server asks and tells other things', async () => {
    let answers: readonly Promise<object>[] = [];
    await using peer = await startServerInitiatedMcpPeer({ pageSize: 1 }, (conversation) => {
      answers = [conversation.ask('ping', {}), conversation.ask('sampling/createMessage', {})];
      conversation.notify('notifications/message', { data: 'hello' });
    });
    expect(await listFrom(peer, transport)).toMatchObject({ tools: [{ name: 'echo' }, { name: 'add' }] });
    expect(await Promise.all(answers)).toMatchObject([{ result: {} }, { error: { code: -1 } }]);
    await waitFor(() => peer.conversations[0]?.ended, { what: 'the end' });
  });

  test('are read within ten megabytes, a hundred pages, and the time that there is', async () => {
    const text = 'x'.repeat(10_485_760);
    const tool = { name: 'large', description: text, inputSchema: {}, call: () => '' };
    await using peer = await startServerInitiatedMcpPeer({ tools: [tool] });
    const large = await listFrom(peer, transport);
    expect(large).toMatchObject({ kind: 'failed', reason: expect.stringMatching(/longer than|Max payload/) });
    peer.behave({
      tools: Array.from({ length: 102 }, (_, n) => ({ ...tool, name: `t${n}`, description: '' })),
      pageSize: 1,
    });
    const reason = 'tools/list never comes to its last page';
    expect(await listFrom(peer, transport)).toEqual({ kind: 'failed', reason });
    const late = await listFrom(peer, transport, { timeoutMs: 1 });
    expect(late).toEqual({ kind: 'timeout', reason: 'The target took longer than 1 ms' });
  });

  test('are not asked for where targets may not be', async () => {
    const refused = await listTargetTools({ url: 'http://169.254.169.254/', transport }, options);
    expect(refused).toMatchObject({ kind: 'unreachable', reason: expect.stringContaining('169.254.169.254') });
    await using peer = await startServerInitiatedMcpPeer();
    const locked = await listFrom(peer, transport, { allowPrivate: false });
    expect(locked).toMatchObject({ kind: 'unreachable', reason: expect.stringContaining('127.0.0.1') });
    expect(peer.conversations).toEqual([]);
  });
});

describe('the stream of an older server', () => {
  test.each([
    ['leads elsewhere', 'event: endpoint\ndata: http://169.254.169.254/m\n\n', 'an endpoint of another origin'],
    ['names an event twice', 'event: ready\nevent: endpoint\ndata: http://169.254.169.254/m\n\n', 'of another origin'],
    [
      'names an event by nothing',
      `event: endpoint\ndata: /m\n\n${'event:\ndata: {"id":"q","method":"ping"}\n\n'.repeat(101)}`,
      'The target never stops asking',
    ],
    ['ends in a flood', `event: endpoint\ndata: /m\n\n: ${'x'.repeat(10_485_760)}`, 'is longer than 10485760 bytes'],
    [
      'asks without end',
      `event: endpoint\ndata: /m\n\n${'data: {"id":"q","method":"ping"}\n\n'.repeat(101)}`,
      'The target never stops asking',
    ],
  ])('that %s is left', async (_case, text, reason) => {
    expect(await listFromStream(text)).toMatchObject({ kind: 'failed', reason: expect.stringContaining(reason) });
  });

  test('that never tells where to send messages is left in time', async () => {
    expect(await listFromStream(': hello\n\n', { timeoutMs: 50 })).toMatchObject({ kind: 'timeout' });
  });
});

test('a socket of a server that knows no subprotocols is taken all the same', async () => {
  await using peer = await startLoopbackPeer(
    (_request, response) => void response.writeHead(404).end(),
    0,
    (request, socket, head) => {
      new WebSocketServer({ noServer: true, handleProtocols: () => false }).handleUpgrade(request, socket, head, (ws) =>
        ws.close(4_000),
      );
    },
  );
  const listing = await listTargetTools({ url: peer.url, transport: 'websocket' }, options);
  expect(listing).toEqual({ kind: 'failed', reason: 'The target closed its socket with code 4000' });
});
