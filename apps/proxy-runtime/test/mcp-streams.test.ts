import { once } from 'node:events';
import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { waitFor } from '@portcullis/testkit/wait-for';
import { createSessionSeals } from '../src/mcp/session-seals.ts';
import { expireAt, lossesOfAccess } from './lose-access.ts';
import { housePolicy as policy } from './mcp-block-policy.ts';
import { knownTools, tool } from './tool-target.ts';
import { goodKey, listen, startProxy, type Peer, type StartOptions } from './start-proxy.ts';

interface StreamTarget extends Peer {
  /** The streams that are open, oldest first. */
  readonly streams: readonly ServerResponse[];
  /** What was sent to it, with the session that it was sent in. */
  readonly seen: readonly (readonly [session: string | undefined, body: string])[];
}

/** Opens an event stream for each request, and leaves what to say to the test. */
async function startStreamTarget(): Promise<StreamTarget> {
  const streams: ServerResponse[] = [];
  const seen: [string | undefined, string][] = [];
  const peer = await listen((request, response) => {
    void text(request).then((body) => seen.push([request.headers['mcp-session-id']?.toString(), body]));
    if (request.url === '/stalls') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 }).write('{');
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    streams.push(response);
  });
  return { ...peer, streams, seen };
}

interface OpenStream {
  readonly status: number | undefined;
  text(): string;
  ended(): boolean;
  leave(): void;
}

async function openStream(origin: string, message?: object): Promise<OpenStream> {
  const outgoing = ask(`${origin}/mcp`, {
    method: message === undefined ? 'GET' : 'POST',
    headers: {
      'x-api-key': goodKey,
      accept: 'application/json, text/event-stream',
      'mcp-session-id': createSessionSeals('its own').seal({ proxyId: 7, keyId: 1 }, 's-1'),
      ...(message !== undefined && { 'content-type': 'application/json' }),
    },
  });
  outgoing.end(message === undefined ? undefined : JSON.stringify(message));
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  const state = { text: '', ended: false };
  answer.on('data', (chunk: Buffer) => (state.text += chunk.toString()));
  answer.on('end', () => (state.ended = true));
  answer.on('error', () => undefined);
  return {
    status: answer.statusCode,
    text: () => state.text,
    ended: () => state.ended,
    leave: () => outgoing.destroy(),
  };
}

const startMcp = (target: Peer, options: Partial<StartOptions> = {}) =>
  startProxy({ target: target.origin, policies: [policy], ...options, proxy: { type: 'mcp', ...options.proxy } });

const event = (message: object, id?: number) =>
  `${id === undefined ? '' : `id: ${id}\n`}event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;

const said = (stream: OpenStream, text: string) => waitFor(() => stream.text().includes(text), { what: text });

describe('a stream of MCP', () => {
  test('is open before anything was said, passes keep-alives and events byte for byte, ends the call when left', async () => {
    await using target = await startStreamTarget();
    await using proxy = await startMcp(target);
    const stream = await openStream(proxy.origin);
    expect(stream.status).toBe(200);
    const [upstream] = target.streams;
    const raw =
      ': keep-alive\n\nid: 7\nretry: 10\nfuture: x\ndata: {"jsonrpc":"2.0","n":12345678901234567890,"x":1.0}\n\n';
    upstream?.write(raw);
    await said(stream, 'future');
    expect(stream.text()).toBe(raw);
    stream.leave();
    await waitFor(() => upstream?.destroyed, { what: 'the call to the target to end' });
  });

  test.each([
    ['its own', undefined],
    ['of an answer', { jsonrpc: '2.0', id: 4, method: 'tools/call', params: { name: 'x' } }],
  ])('is never silent for long, %s, and never in the middle of an event', async (_kind, question) => {
    await using target = await startStreamTarget();
    await using proxy = await startMcp(target, { keepAliveMs: 20 });
    const stream = await openStream(proxy.origin, question);
    await said(stream, ': keep-alive\n\n: keep-alive\n\n');
    const message = event({ method: 'notifications/progress', params: { progress: 1 } });
    target.streams[0]?.write(message.slice(0, 20));
    const comments = () => stream.text().split(': keep-alive').length;
    const before = comments();
    await waitFor(() => comments() > before + 1, { what: 'more of them' });
    target.streams[0]?.end(message.slice(20));
    await waitFor(() => stream.ended(), { what: 'the end' });
    expect(stream.text().replaceAll(': keep-alive\n\n', '')).toBe(message);
  });

  test('may pause for longer than an answer that is none', async () => {
    await using target = await startStreamTarget();
    const timeouts = { connectMs: null, headersMs: null, idleMs: 50 };
    await using proxy = await startMcp(target, { targetEntry: { timeouts } });
    const stream = await openStream(proxy.origin);
    const stalled = await fetch(`${proxy.origin}/stalls`, {
      method: 'POST',
      headers: { 'x-api-key': goodKey, accept: 'application/json, text/event-stream' },
    });
    expect(stalled.status).toBe(504);
    target.streams[0]?.write(event({ method: 'notifications/tools/list_changed' }));
    await said(stream, 'list_changed');
  });

  test.each([
    ['its own', undefined],
    ['of an answer', { jsonrpc: '2.0', id: 4, method: 'tools/call', params: { name: 'x' } }],
  ])('refuses single messages on a stream, %s, and goes on', async (_kind, question) => {
    await using target = await startStreamTarget();
    await using proxy = await startMcp(target);
    const stream = await openStream(proxy.origin, question);
    const [upstream] = target.streams;
    upstream?.write(event({ method: 'notifications/message', params: { data: 'marzipan' } }));
    upstream?.write(event({ id: 4, result: { content: [{ type: 'text', text: 'marzipan' }] } }, 9));
    await said(stream, 'error');
    expect(stream.text()).toMatch(
      /^id: 9\nevent: message\ndata: {"jsonrpc":"2.0","id":4,"error":{"code":-32000.*}\n\n$/,
    );
    expect(stream.text()).toContain('Request blocked by security policy');
    // An observer need not wait for the end of the stream.
    const alerts = () => proxy.spool.records.filter(({ kind }) => kind === 'alert');
    expect(alerts()).toMatchObject([{ action: 'Block' }, { action: 'Block' }]);
    upstream?.end(event({ id: 5, result: {} }));
    await waitFor(() => stream.ended(), { what: 'the end' });
    expect(stream.text()).toContain('{"jsonrpc":"2.0","id":5,"result":{}}');
    expect(alerts()).toHaveLength(2);
    const logs = proxy.spool.records.filter(({ kind }) => kind === 'request_log');
    expect(logs).toMatchObject([{ status_code: 200, denied_reason: 'policy_violation_response' }]);
  });

  test('answers a request of the server that its client never gets', async () => {
    await using target = await startStreamTarget();
    await using proxy = await startMcp(target);
    const stream = await openStream(proxy.origin);
    const question = { id: 11, method: 'sampling/createMessage', params: { messages: 'marzipan' } };
    target.streams[0]?.write(event(question));
    await waitFor(() => target.seen.length === 2, { what: 'the answer' });
    const [session, body] = target.seen[1] ?? [];
    expect([session, JSON.parse(body ?? '')]).toMatchObject([
      's-1',
      { jsonrpc: '2.0', id: 11, error: { code: -32_001 } },
    ]);
    expect(stream.text()).toBe('');
  });

  test.each(lossesOfAccess)('on which only the server speaks ends when %s', async (_how, lose, reason) => {
    await using target = await startStreamTarget();
    await using proxy = await startMcp(target);
    const stream = await openStream(proxy.origin);
    const call = await openStream(proxy.origin, { jsonrpc: '2.0', id: 2, method: 'tools/call', params: {} });
    proxy.change(lose);
    await waitFor(() => stream.ended(), { what: 'the end' });
    await waitFor(() => target.streams[0]?.destroyed, { what: 'the call to the target to end' });
    expect(stream.text()).toBe('');
    const logs = () => proxy.spool.records.filter(({ kind }) => kind === 'request_log');
    expect(logs()).toMatchObject([{ status_code: 200, denied_reason: reason }]);
    expect(proxy.spool.records.filter(({ kind }) => kind === 'audit')).toMatchObject([
      { event_type: 'security.access.denied' },
    ]);
    // What was asked before that is answered.
    target.streams[1]?.end(event({ id: 2, result: {} }));
    await waitFor(() => call.ended(), { what: 'the answer' });
    expect(call.text()).toContain('"id":2');
  });

  test('ends when its key expires, without anybody asking', async () => {
    await using target = await startStreamTarget();
    await using proxy = await startMcp(target);
    proxy.change(expireAt(Date.now() + 1_500));
    const stream = await openStream(proxy.origin);
    await waitFor(() => stream.ended(), { what: 'the end' });
    const logs = proxy.spool.records.filter(({ kind }) => kind === 'request_log');
    expect(logs).toMatchObject([{ denied_reason: 'key_expired' }]);
  });

  test('of the stateless revision is told of other tools if it listens for them, and once the server has said that it hears', async () => {
    await using target = await startStreamTarget();
    const closed = tool('search');
    const entry = { tools: knownTools([[closed, { enabled: false }]]) };
    await using proxy = await startMcp(target, { proxy: entry });
    const listen = (id: number, notifications: object) =>
      openStream(proxy.origin, { jsonrpc: '2.0', id, method: 'subscriptions/listen', params: { notifications } });
    const listening = await listen(5, { toolsListChanged: true });
    const unheard = await listen(6, { toolsListChanged: true });
    const otherwise = await listen(7, { promptsListChanged: true });
    for (const at of [0, 2]) target.streams[at]?.write(event({ method: 'notifications/subscriptions/acknowledged' }));
    await said(listening, 'acknowledged');
    await said(otherwise, 'acknowledged');
    proxy.change(({ proxies }) => ({
      proxies: new Map([...proxies].map(([id, one]) => [id, { ...one, tools: knownTools([[closed]]) }])),
    }));
    await said(listening, 'list_changed');
    expect(listening.text()).toContain('"params":{"_meta":{"io.modelcontextprotocol/subscriptionId":5}}');
    target.streams[1]?.write(event({ method: 'notifications/subscriptions/acknowledged' }));
    await said(unheard, 'acknowledged');
    expect(unheard.text() + otherwise.text()).not.toContain('list_changed');
  });

  test('ends at once that begins when access is gone already', async () => {
    const asked: ServerResponse[] = [];
    await using target = await listen((_request, response) => void asked.push(response));
    await using proxy = await startMcp(target);
    const opening = openStream(proxy.origin);
    await waitFor(() => asked.length === 1, { what: 'the target to be asked' });
    const [, revoke] = lossesOfAccess[0];
    proxy.change(revoke);
    asked[0]?.writeHead(200, { 'content-type': 'text/event-stream' }).write(event({ method: 'notifications/x' }));
    const stream = await opening;
    await waitFor(() => stream.ended(), { what: 'the end' });
    await waitFor(() => asked[0]?.destroyed, { what: 'the end of the call' });
    expect(stream.text()).toBe('');
  });

  test('is ended in good order when the port closes', async () => {
    await using target = await startStreamTarget();
    await using proxy = await startMcp(target);
    const stream = await openStream(proxy.origin);
    const listening = await openStream(proxy.origin, { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen' });
    const call = await openStream(proxy.origin, { jsonrpc: '2.0', id: 2, method: 'tools/call', params: {} });
    proxy.standDown();
    await waitFor(() => stream.ended() && listening.ended(), { what: 'both streams to end' });
    await waitFor(() => target.streams[0]?.destroyed, { what: 'the call to the target to end' });
    // A call that is waited for goes on.
    target.streams[2]?.end(event({ id: 2, result: {} }));
    await waitFor(() => call.ended(), { what: 'the answer' });
    expect(call.text()).toContain('"id":2');
  });

  test('of a call that is not answered in time ends with an error of that call', async () => {
    await using target = await startStreamTarget();
    await using proxy = await startMcp(target);
    const call = await openStream(proxy.origin, { jsonrpc: '2.0', id: 2, method: 'tools/call', params: {} });
    await proxy.close(20);
    await waitFor(() => call.ended(), { what: 'the end' });
    expect(call.text()).toMatch(/event: message\ndata: \{"jsonrpc":"2.0","id":2,"error":.*The proxy stopped.*\n\n$/);
    expect(proxy.spool.records.findLast(({ kind }) => kind === 'request_log')).toMatchObject({
      denied_reason: 'proxy_stopped',
      status_code: 200,
    });
  });
});
