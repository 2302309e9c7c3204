import { once } from 'node:events';
import { createServer, request as ask, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { findFreePort } from '@portcullis/testkit/free-port';
import { waitFor } from '@portcullis/testkit/wait-for';
import { WebSocket, WebSocketServer } from 'ws';
import { errorCatalogue } from '@portcullis/contracts/errors';
import { FairShare } from '@portcullis/platform/http/fair-share';
import { housePolicy } from './mcp-block-policy.ts';
import { expireAt, lossesOfAccess } from './lose-access.ts';
import { goodKey, listen, startProxy, type StartOptions } from './start-proxy.ts';
import { callRequest, knownTools, recordsOf, tool } from './tool-target.ts';

interface SocketTarget extends AsyncDisposable {
  readonly origin: string;
  readonly upgrades: readonly IncomingMessage[];
  readonly sockets: readonly WebSocket[];
  /** Messages that came, as they came. */
  readonly seen: readonly string[];
}

async function startSocketTarget(): Promise<SocketTarget> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const upgrades: IncomingMessage[] = [];
  const sockets: WebSocket[] = [];
  const seen: string[] = [];
  const accepting = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    upgrades.push(request);
    if (request.url !== '/mcp') {
      socket.end('HTTP/1.1 404 Not Found\r\ncontent-type: text/plain\r\ncontent-length: 4\r\n\r\nnope');
      return;
    }
    accepting.handleUpgrade(request, socket, head, (opened) => {
      sockets.push(opened);
      opened.on('message', (data: Buffer) => seen.push(data.toString()));
      opened.on('error', () => undefined);
    });
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    upgrades,
    sockets,
    seen,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.terminate();
      server.close();
      await once(server, 'close');
    },
  };
}

interface OpenSocket {
  readonly socket: WebSocket;
  readonly texts: readonly string[];
  closed(): { readonly code: number; readonly reason: string } | undefined;
  send(message: object | string): void;
}

/** @throws with the status of a refusal in its message */
async function openSocket(
  origin: string,
  { path = '/mcp', key = goodKey, protocols = ['mcp'] } = {},
): Promise<OpenSocket> {
  const headers = key === '' ? {} : { 'x-api-key': key };
  const socket = new WebSocket(`${origin.replace('http', 'ws')}${path}`, protocols, { headers });
  const texts: string[] = [];
  let closed: { code: number; reason: string } | undefined;
  socket.on('message', (data: Buffer) => texts.push(data.toString()));
  socket.on('close', (code, reason) => (closed = { code, reason: reason.toString() }));
  await once(socket, 'open');
  return {
    socket,
    texts,
    closed: () => closed,
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
  };
}

const startMcp = (target: { readonly origin: string }, options: Partial<StartOptions> = {}) =>
  startProxy({ target: target.origin, policies: [housePolicy], ...options, proxy: { type: 'mcp', ...options.proxy } });

const call = (id: number, text: string) => ({ jsonrpc: '2.0', id, method: 'prompts/get', params: { text } });
const said = (texts: readonly string[], text: string) =>
  waitFor(() => texts.some((one) => one.includes(text)), { what: text });
const blocked = { code: -32_001, message: 'Request blocked by security policy' };

describe('a WebSocket', () => {
  test('relays messages of both sides byte for byte, each an exchange of its own', async () => {
    await using target = await startSocketTarget();
    await using proxy = await startMcp(target);
    const client = await openSocket(proxy.origin);
    expect(client.socket.protocol).toBe('mcp');
    expect(target.upgrades[0]?.headers).toMatchObject({ host: new URL(target.origin).host });
    expect(target.upgrades[0]?.headers['x-api-key']).toBeUndefined();

    const question = '{ "jsonrpc":"2.0", "id":1,"method":"ping", "future":12345678901234567890 }';
    client.send(question);
    await said(target.seen, 'ping');
    const answer = '{"jsonrpc":"2.0","id":1,"result":{"n":1.0, "big":12345678901234567890}}';
    target.sockets[0]?.send(answer);
    await said(client.texts, 'big');
    expect([target.seen, client.texts]).toEqual([[question], [answer]]);
    client.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await said(target.seen, 'initialized');
    client.socket.close(4_001, 'enough');
    const [code, reason] = (await once(target.sockets[0] as WebSocket, 'close')) as [number, Buffer];
    expect([code, reason.toString()]).toEqual([4_001, 'enough']);
    await waitFor(() => recordsOf(proxy, 'request_log').length === 3, { what: 'three log entries' });
    expect(recordsOf(proxy, 'request_log').map((log) => 'status_code' in log && log.status_code)).toEqual([
      200, 200, 101,
    ]);
  });

  test.each([
    ['without a key', '', '/mcp', 401],
    ['with an unknown key', 'gw_nobody', '/mcp', 401],
    ['to what the target does not have', goodKey, '/elsewhere', 404],
  ])('is refused %s', async (_case, key, path, status) => {
    await using target = await startSocketTarget();
    await using proxy = await startMcp(target);
    await expect(openSocket(proxy.origin, { key, path })).rejects.toThrow(String(status));
    expect(target.upgrades).toHaveLength(status === 404 ? 1 : 0);
    expect(recordsOf(proxy, 'request_log')).toMatchObject([{ status_code: status }]);
  });

  test('is refused when the target is away, or may not be asked', async () => {
    await using proxy = await startMcp({ origin: `http://127.0.0.1:${await findFreePort()}` });
    await expect(openSocket(proxy.origin)).rejects.toThrow('502');
    await using forbidden = await startMcp({ origin: 'http://169.254.169.254' });
    await expect(openSocket(forbidden.origin)).rejects.toThrow('502');
    expect(forbidden.problems.join()).toContain('169.254.169.254');
  });

  test('is none on a proxy of LLM APIs, where an upgrade is told to go on with HTTP', async () => {
    await using target = await listen((_request, response) => void response.end('plain'));
    await using proxy = await startProxy({ target: target.origin });
    const asked = ask(`${proxy.origin}/v1/models`, {
      headers: { 'x-api-key': goodKey, connection: 'upgrade', upgrade: 'websocket' },
    }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    expect([answer.statusCode, await text(answer)]).toEqual([426, expect.stringContaining('UPGRADE_REQUIRED')]);
  });

  test('refuses single messages of the client, by their id', async () => {
    await using target = await startSocketTarget();
    await using proxy = await startMcp(target);
    const client = await openSocket(proxy.origin);
    client.send(call(1, 'marzipan'));
    client.send({ jsonrpc: '2.0', method: 'notifications/message', params: { data: 'marzipan' } });
    client.send([call(2, 'nougat'), call(3, 'marzipan')]);
    client.send('{"jsonrpc":');
    client.send(call(4, 'nougat'));
    client.send(call(4, 'twice'));
    await said(client.texts, 'under way');
    expect(client.texts.map((text) => JSON.parse(text) as unknown)).toMatchObject([
      { id: 1, error: blocked },
      [
        { id: 2, error: blocked },
        { id: 3, error: blocked },
      ],
      { id: null, error: { code: -32_700 } },
      { id: 4, error: { code: -32_000 } },
    ]);
    await said(target.seen, 'nougat');
    expect(target.seen).toEqual([JSON.stringify(call(4, 'nougat'))]);
    expect(recordsOf(proxy, 'alert')).toMatchObject([{ action: 'Block' }, { action: 'Block' }, { action: 'Block' }]);
  });

  test('refuses single messages of the server: answers in their place, requests to the server, the rest in silence', async () => {
    await using target = await startSocketTarget();
    await using proxy = await startMcp(target);
    const client = await openSocket(proxy.origin);
    client.send(call(1, 'nougat'));
    await said(target.seen, 'nougat');
    const say = (message: object) => target.sockets[0]?.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
    say({ method: 'notifications/message', params: { data: 'marzipan' } });
    say({ id: 1, method: 'sampling/createMessage', params: { messages: 'marzipan' } });
    await said(target.seen, 'error');
    expect(JSON.parse(target.seen.at(-1) ?? '')).toMatchObject({ id: 1, error: { code: -32_001 } });
    // Told at once, and not when the socket ends.
    expect(recordsOf(proxy, 'alert')).toMatchObject([{ action: 'Block' }, { action: 'Block' }]);
    say({ id: 1, result: { text: 'marzipan' } });
    say({ method: 'notifications/progress' });
    await said(client.texts, 'progress');
    expect(client.texts.map((text) => JSON.parse(text) as unknown)).toMatchObject([
      { id: 1, error: { code: -32_001, message: 'Request blocked by security policy' } },
      { method: 'notifications/progress' },
    ]);
  });

  test('hides tools that are not enabled, in lists and in calls', async () => {
    await using target = await startSocketTarget();
    const [open, closed] = [tool('open'), tool('closed')];
    const tools = knownTools([[open], [closed, { enabled: false }]]);
    await using proxy = await startMcp(target, { proxy: { tools } });
    const client = await openSocket(proxy.origin);
    client.send(callRequest('closed', 7));
    await said(client.texts, 'Unknown tool: closed');
    client.send({ jsonrpc: '2.0', id: 8, method: 'tools/list' });
    await said(target.seen, 'tools/list');
    target.sockets[0]?.send(JSON.stringify({ jsonrpc: '2.0', id: 8, result: { tools: [open, closed] } }));
    await said(client.texts, '"id":8');
    expect(JSON.parse(client.texts[1] ?? '')).toEqual({ jsonrpc: '2.0', id: 8, result: { tools: [open] } });
    expect(target.seen).toHaveLength(1);
  });

  test('answers what is no message, though it cannot be told whose it was', async () => {
    await using target = await startSocketTarget();
    await using proxy = await startMcp(target, { proxy: { tools: knownTools([]) } });
    const client = await openSocket(proxy.origin);
    client.send('no message');
    await said(client.texts, 'Messages of MCP are JSON');
    expect(JSON.parse(client.texts[0] ?? '')).toMatchObject({ id: null, error: { code: -32_700 } });
    expect(target.seen).toEqual([]);
  });

  test('reads no message of too many values, of either side, and goes on', async () => {
    await using target = await startSocketTarget();
    await using proxy = await startMcp(target, { maxBodyBytes: 2_000_000, proxy: { tools: knownTools([]) } });
    const client = await openSocket(proxy.origin);
    const lists = `[${'[],'.repeat(300_000)}0]`;
    client.send(`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"lists":${lists}}}`);
    await said(client.texts, 'Too many values');
    expect(JSON.parse(client.texts[0] ?? '')).toMatchObject({ id: null, error: { code: -32_700 } });
    expect(target.seen).toEqual([]);
    client.send(call(2, 'nougat'));
    await said(target.seen, 'nougat');
    target.sockets[0]?.send(`{"jsonrpc":"2.0","id":2,"result":{"lists":${lists}}}`);
    target.sockets[0]?.send(JSON.stringify({ jsonrpc: '2.0', id: 2, result: { text: 'short' } }));
    await said(client.texts, 'short');
    expect(client.texts).toHaveLength(2);
  });

  test('takes no more messages than the key may send', async () => {
    await using target = await startSocketTarget();
    let left = 2;
    const buckets = { take: () => ({ allowed: (left -= 1) >= 0, remaining: 0, retryAfterMs: 1 }) };
    await using proxy = await startMcp(target, { rateLimit: 2, buckets });
    const client = await openSocket(proxy.origin);
    client.send(call(1, 'nougat'));
    client.send(call(2, 'nougat'));
    await said(client.texts, 'Rate limit exceeded');
    expect(JSON.parse(client.texts[0] ?? '')).toMatchObject({ id: 2, error: { code: -32_000 } });
    await said(target.seen, 'nougat');
    expect(target.seen).toHaveLength(1);
  });

  test('ends with a client that sends what is too large, and with one that goes', async () => {
    await using target = await startSocketTarget();
    await using proxy = await startMcp(target, { maxBodyBytes: 1_000, maxInspectedBytes: 1_000 });
    const large = await openSocket(proxy.origin);
    large.send('x'.repeat(1_001));
    await waitFor(large.closed, { what: 'the end' });
    expect(large.closed()?.code).toBe(1_009);

    const flooded = await openSocket(proxy.origin);
    target.sockets[1]?.send('x'.repeat(1_001));
    await waitFor(flooded.closed, { what: 'the end' });
    expect(flooded.closed()?.code).toBe(1_014);

    const leaving = await openSocket(proxy.origin);
    leaving.send(call(1, 'nougat'));
    await said(target.seen, 'nougat');
    leaving.socket.terminate();
    await once(target.sockets[2] as WebSocket, 'close');
    const logged = () =>
      recordsOf(proxy, 'request_log').filter((log) => 'denied_reason' in log && log.denied_reason !== undefined);
    await waitFor(() => logged().length === 1, { what: 'the log entry' });
    expect(logged()).toMatchObject([{ denied_reason: 'client_closed' }]);
  });

  test('shares the memory for large bodies, for messages that have begun and for whole ones', async () => {
    await using target = await startSocketTarget();
    const roomBytes = 1_000_000;
    const bodyMemory = new FairShare(roomBytes);
    await using proxy = await startMcp(target, { bodyMemory, maxBodyBytes: 900_000 });
    const isFree = () => bodyMemory.take(99, roomBytes) && (bodyMemory.give(99, roomBytes), true);
    const message = JSON.stringify(call(1, 'n'.repeat(400_000)));
    const [first, second] = [await openSocket(proxy.origin), await openSocket(proxy.origin)];
    first.socket.send(message.slice(0, -1), { fin: false });
    await waitFor(() => !isFree(), { what: 'the message to be counted' });
    second.socket.send('n'.repeat(300_000), { fin: false });
    await waitFor(second.closed, { what: 'the end of the second' });
    expect(second.closed()).toEqual({ code: 1_013, reason: 'Too many large bodies are under way' });
    first.socket.send(message.slice(-1), { fin: true });
    await said(target.seen, 'nnn');
    // Until the exchange has ended.
    expect(isFree()).toBe(false);
    target.sockets[0]?.send('{"jsonrpc":"2.0","id":1,"result":{}}');
    await said(first.texts, '"id":1');
    await waitFor(isFree, { what: 'all memory to be given back' });

    const leaving = await openSocket(proxy.origin);
    leaving.socket.send('n'.repeat(300_000), { fin: false });
    await waitFor(() => !isFree(), { what: 'the message to be counted' });
    leaving.socket.terminate();
    await waitFor(isFree, { what: 'the memory of one who left' });
    const refused = () => recordsOf(proxy, 'request_log').map((log) => 'denied_reason' in log && log.denied_reason);
    await waitFor(() => refused().includes('service_unavailable'), { what: 'the log entry' });
  });

  test('counts no pings as a message', async () => {
    await using target = await startSocketTarget();
    const bodyMemory = new FairShare(100_000);
    await using proxy = await startMcp(target, { bodyMemory });
    const client = await openSocket(proxy.origin);
    let answered = 0;
    client.socket.on('pong', (payload) => (answered = payload.readUInt32BE(0)));
    const payload = Buffer.alloc(125);
    // Not too many at once, which ends the socket.
    for (let sent = 1; sent <= 2_000; sent += 1) {
      payload.writeUInt32BE(sent);
      client.socket.ping(Buffer.from(payload));
      if (sent % 20 === 0) await waitFor(() => answered === sent, { what: `the pong of ping ${sent}` });
    }
    client.send(call(1, 'nougat'));
    await waitFor(() => target.seen.length > 0 || client.closed(), { what: 'the message behind them' });
    expect([client.closed(), target.seen.length]).toEqual([undefined, 1]);
  });

  test('reads no more from a server than its client takes', async () => {
    await using target = await startSocketTarget();
    await using proxy = await startMcp(target);
    const client = await openSocket(proxy.origin);
    client.socket.pause();
    const [server] = target.sockets;
    const message = JSON.stringify({
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { data: 'n'.repeat(100_000) },
    });
    const count = 400;
    for (let sent = 0; sent < count; sent += 1) server?.send(message);
    // What neither the gateway nor the system holds for the client stays with the server.
    const left = await waitFor(() => ((server?.bufferedAmount ?? 0) > 1_000_000 ? server?.bufferedAmount : 0), {
      what: 'the server to wait',
    });
    expect(left).toBeGreaterThan(1_000_000);
    client.socket.resume();
    await waitFor(() => client.texts.length === count, { what: 'all messages' });
  });

  test.each(lossesOfAccess)('is closed at once with 1008 when %s', async (_how, lose, reason) => {
    await using target = await startSocketTarget();
    await using proxy = await startMcp(target);
    const client = await openSocket(proxy.origin);
    client.send(call(1, 'nougat'));
    await said(target.seen, 'nougat');
    proxy.change(lose);
    await waitFor(client.closed, { what: 'the end' });
    expect(client.closed()).toEqual({ code: 1_008, reason: errorCatalogue[reason].text });
    await waitFor(() => target.sockets[0]?.readyState === WebSocket.CLOSED, { what: 'the end of the other side' });
    await waitFor(() => recordsOf(proxy, 'request_log').length === 2, { what: 'the log entries' });
    // Of the call that was under way, and of the socket.
    expect(recordsOf(proxy, 'request_log')).toMatchObject([{ denied_reason: reason }, { denied_reason: reason }]);
    await expect(openSocket(proxy.origin)).rejects.toThrow(String(errorCatalogue[reason].status));
  });

  test('is closed when its key expires, without anybody asking', async () => {
    await using target = await startSocketTarget();
    await using proxy = await startMcp(target);
    const client = await openSocket(proxy.origin);
    proxy.change(expireAt(Date.now() + 50));
    await waitFor(client.closed, { what: 'the end' });
    expect(client.closed()).toEqual({ code: 1_008, reason: 'API key has expired' });
  });

  test('is closed at once when access is gone before the target has given one', async () => {
    await using slow = await listen(() => undefined);
    const upgraded = once(slow.server, 'upgrade') as Promise<[IncomingMessage, Socket, Buffer]>;
    await using proxy = await startMcp(slow);
    const opening = openSocket(proxy.origin);
    const [request, socket, head] = await upgraded;
    const [, revoke, reason] = lossesOfAccess[0];
    proxy.change(revoke);
    new WebSocketServer({ noServer: true }).handleUpgrade(request, socket, head, (opened) => opened.send('late'));
    const client = await opening;
    await waitFor(client.closed, { what: 'the end' });
    expect([client.closed(), client.texts]).toEqual([{ code: 1_008, reason: errorCatalogue[reason].text }, []]);
    await waitFor(() => socket.destroyed, { what: 'the end of the other side' });
  });

  test('stays open while the configuration changes in other ways', async () => {
    await using target = await startSocketTarget();
    await using proxy = await startMcp(target);
    const client = await openSocket(proxy.origin);
    proxy.change(() => ({}));
    proxy.change(expireAt(Date.now() + 60_000));
    client.send(call(1, 'nougat'));
    await said(target.seen, 'nougat');
    expect(client.closed()).toBeUndefined();
  });

  test('are as many, with as many questions, as the settings say', async () => {
    await using target = await startSocketTarget();
    await using proxy = await startMcp(target, { sockets: { maxSockets: 1, maxPending: 2 } });
    const client = await openSocket(proxy.origin);
    await expect(openSocket(proxy.origin)).rejects.toThrow('503');
    client.send([call(1, 'a'), call(2, 'b')]);
    client.send(call(3, 'c'));
    await said(client.texts, 'Too many requests');
    expect(JSON.parse(client.texts[0] ?? '')).toMatchObject({ id: 3, error: { code: -32_000 } });
    client.socket.close();
    await waitFor(() => openSocket(proxy.origin), { what: 'the place of the first' });
  });

  test('is left in good order when the port closes, once what is asked is answered', async () => {
    await using target = await startSocketTarget();
    await using proxy = await startMcp(target);
    const [idle, waiting] = [await openSocket(proxy.origin), await openSocket(proxy.origin)];
    waiting.send(call(1, 'nougat'));
    await said(target.seen, 'nougat');
    proxy.standDown();
    await waitFor(idle.closed, { what: 'the idle one to end' });
    expect(idle.closed()).toEqual({ code: 1_001, reason: 'the proxy stops' });
    expect(waiting.closed()).toBeUndefined();
    target.sockets[1]?.send('{"jsonrpc":"2.0","id":1,"result":{}}');
    await waitFor(waiting.closed, { what: 'the other one to end' });
    expect([waiting.texts.length, waiting.closed()?.code]).toEqual([1, 1_001]);
  });

  test('that still waits when the port closes has its requests answered with an error', async () => {
    await using target = await startSocketTarget();
    await using proxy = await startMcp(target);
    const waiting = await openSocket(proxy.origin);
    waiting.send(call(1, 'nougat'));
    await said(target.seen, 'nougat');
    await proxy.close(20);
    await waitFor(waiting.closed, { what: 'the end' });
    expect(waiting.closed()).toEqual({ code: 1_001, reason: 'the proxy stops' });
    expect(waiting.texts.map((text) => JSON.parse(text) as unknown)).toMatchObject([
      { id: 1, error: { code: -32_000, message: 'The proxy stopped before the answer was complete' } },
    ]);
    expect(
      proxy.spool.records.filter((record) => record.kind === 'request_log' && record.denied_reason === 'proxy_stopped'),
    ).toHaveLength(1);
  });
});
