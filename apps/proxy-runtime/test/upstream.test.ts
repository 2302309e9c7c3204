import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type LookupFunction, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { createCachedLookup } from '@portcullis/platform/network/cached-lookup';
import { createTestAuthority } from '@portcullis/testkit/test-authority';
import { fakeTimeouts } from '@portcullis/testkit/fake-timers';
import { waitFor } from '@portcullis/testkit/wait-for';
import { goodKey, listen, startProxy, type RunningProxy } from './start-proxy.ts';

const call = (proxy: RunningProxy, method = 'GET', path = '/v1/models') =>
  fetch(`${proxy.origin}${path}`, {
    method,
    headers: { 'x-api-key': goodKey, 'content-type': 'application/json' },
    ...(method === 'POST' && { body: '{"model":"m"}' }),
  });

afterEach(() => {
  jest.useRealTimers();
});

const logs = (proxy: RunningProxy) => proxy.spool.records.filter((record) => record.kind === 'request_log');
const lastLog = (proxy: RunningProxy) => logs(proxy).at(-1);

/** Answers every first request of a connection, and closes the connection at the first byte of a second. */
async function startClosingTarget() {
  const seen: string[] = [];
  const serve = (socket: Socket) => {
    let requests = 0;
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      requests += 1;
      seen.push(String(data).split(' ')[0] ?? '');
      if (requests > 1) return void socket.destroy();
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nok');
    });
  };
  const server = createTcpServer(serve).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    seen,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

describe('a kept connection that the target closes before the first byte of an answer', () => {
  test('costs a GET nothing but a new connection', async () => {
    await using target = await startClosingTarget();
    await using proxy = await startProxy({ target: target.origin, links: { connections: 1 } });
    expect((await call(proxy)).status).toBe(200);
    expect((await call(proxy)).status).toBe(200);
    expect(target.seen).toEqual(['GET', 'GET', 'GET']);
    expect(proxy.problems).toEqual([]);
  });

  test('fails a POST, which the target may have acted on, and the log says why', async () => {
    await using target = await startClosingTarget();
    await using proxy = await startProxy({ target: target.origin, links: { connections: 1 } });
    expect((await call(proxy, 'POST')).status).toBe(200);
    expect((await call(proxy, 'POST')).status).toBe(502);
    expect(target.seen).toEqual(['POST', 'POST']);
    expect(lastLog(proxy)).toMatchObject({
      status_code: 502,
      denied_reason: 'target_failed',
      denied_stage: 'forward',
      target_problem: 'UND_ERR_SOCKET: other side closed',
    });
  });

  test('is tried a second time, not for ever', async () => {
    let connections = 0;
    const server = createTcpServer((socket) => {
      connections += 1;
      socket.on('error', () => undefined).once('data', () => socket.destroy());
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    await using proxy = await startProxy({ target: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
    expect((await call(proxy)).status).toBe(502);
    expect(connections).toBe(2);
    server.close();
  });
});

describe('a target that keeps failing', () => {
  test('has an open circuit, is tried by one request after the cooldown, and used again once it answers', async () => {
    let broken = true;
    let calls = 0;
    let letGo: (() => void) | undefined;
    await using target = await listen((request, response) => {
      calls += 1;
      if (broken) return void request.socket.destroy();
      letGo = () => response.end('ok');
      if (calls > 4) letGo();
    });
    let nowMs = 0;
    await using proxy = await startProxy({
      target: target.origin,
      links: { breaker: { maxFailures: 3, restMs: 5_000 }, nowMs: () => nowMs },
    });
    for (let n = 0; n < 3; n += 1) expect((await call(proxy, 'POST')).status).toBe(502);
    expect(calls).toBe(3);

    const refused = await call(proxy, 'POST');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([502, '5']);
    expect(await refused.json()).toMatchObject({ error: 'The target could not be reached', error_code: 'BAD_GATEWAY' });
    expect(lastLog(proxy)).toMatchObject({
      denied_reason: 'circuit_open',
      target_problem: 'UND_ERR_SOCKET: other side closed',
    });
    expect(calls).toBe(3);

    broken = false;
    nowMs = 5_000;
    const trial = call(proxy, 'POST');
    await waitFor(() => letGo, { what: 'the trial to arrive' });
    expect((await call(proxy, 'POST')).status).toBe(502);
    letGo?.();
    expect((await trial).status).toBe(200);
    expect((await call(proxy, 'POST')).status).toBe(200);
    expect(proxy.problems.filter((problem) => problem.startsWith('link'))).toEqual([
      'link open: UND_ERR_SOCKET: other side closed',
      'link closed: null',
    ]);
  });

  test('is not blamed for answers of 500, for clients that leave, or for what cannot be sent to anybody', async () => {
    const leaving = new AbortController();
    await using target = await listen((request, response) => {
      if (request.url === '/hang') leaving.abort();
      else response.writeHead(500).end();
    });
    await using proxy = await startProxy({
      target: target.origin,
      links: { breaker: { maxFailures: 1, restMs: 60_000 } },
    });
    expect((await call(proxy)).status).toBe(500);
    const { signal } = leaving;
    await expect(fetch(`${proxy.origin}/hang`, { headers: { 'x-api-key': goodKey }, signal })).rejects.toThrow(
      'aborted',
    );
    expect((await call(proxy)).status).toBe(500);
  });
});

test('the proxy sets the times that a target has', async () => {
  await using silent = await listen(() => undefined);
  const timeouts = { connectMs: null, headersMs: 50, idleMs: null };
  await using impatient = await startProxy({ target: silent.origin, targetEntry: { timeouts } });
  expect((await call(impatient, 'POST')).status).toBe(504);
  expect(lastLog(impatient)).toMatchObject({
    denied_reason: 'target_timeout',
    target_problem: 'UND_ERR_HEADERS_TIMEOUT: Headers Timeout Error',
  });

  await using pausing = await listen((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' }).write('begun');
  });
  await using idle = await startProxy({
    target: pausing.origin,
    targetEntry: { timeouts: { connectMs: null, headersMs: null, idleMs: 50 } },
  });
  await expect(call(idle).then((response) => response.text())).rejects.toThrow('terminated');
  expect(lastLog(idle)).toMatchObject({ denied_reason: 'target_timeout', status_code: 200 });
});

test('the proxy sets the time that the whole of an answer has', async () => {
  fakeTimeouts();
  await using endless = await listen((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const more = setInterval(() => response.write('data: {}\n\n'), 5);
    response.on('close', () => clearInterval(more));
  });
  await using bounded = await startProxy({
    target: endless.origin,
    targetEntry: { timeouts: { connectMs: null, headersMs: null, idleMs: null, totalMs: 60_000 } },
  });
  const reader = (await call(bounded)).body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = (await reader?.read())?.value ?? '';
  jest.advanceTimersByTime(60_000);
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) text += read.value;
  expect(text).toMatch(/^(?:data: \{\}\n\n)+data: \{"error":.*\n\n$/);
  expect(lastLog(bounded)).toMatchObject({
    denied_reason: 'target_timeout',
    target_problem: 'its answer took too long',
  });
});

test('what a target sends behind its answer arrives behind it', async () => {
  await using target = await listen((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', trailer: 'x-checksum' }).write('data: a\n\n');
    response.addTrailers({ 'x-checksum': 'abc' });
    response.end();
  });
  await using proxy = await startProxy({ target: target.origin });
  const asked = request(`${proxy.origin}/v1/any`, { headers: { authorization: `Bearer ${goodKey}` } }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  expect(await text(answer)).toBe('data: a\n\n');
  expect(answer.trailers).toEqual({ 'x-checksum': 'abc' });
});

test('a proxy serves so many requests at once as it says, and gives every place back', async () => {
  const waiting: (() => void)[] = [];
  const leaving = new AbortController();
  let hanging = 0;
  await using target = await listen((request, response) => {
    if (request.url !== '/gone') waiting.push(() => response.end('ok'));
    else if ((hanging += 1) === 2) leaving.abort();
  });
  await using proxy = await startProxy({ target: target.origin, proxy: { maxConcurrent: 2 } });
  const first = [call(proxy), call(proxy, 'POST')];
  await waitFor(() => waiting.length === 2, { what: 'both to be under way' });
  const third = await call(proxy);
  expect([third.status, third.headers.get('retry-after')]).toEqual([503, '1']);
  expect(lastLog(proxy)).toMatchObject({ denied_reason: 'proxy_busy', denied_stage: 'limit-concurrency' });
  for (const end of waiting.splice(0)) end();
  expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200]);

  const { signal } = leaving;
  const headers = { 'x-api-key': goodKey };
  const gone = [1, 2].map(() => fetch(`${proxy.origin}/gone`, { headers, signal }).catch(() => 'left'));
  expect(await Promise.all(gone)).toEqual(['left', 'left']);
  const left = () => logs(proxy).filter(({ denied_reason: reason }) => reason === 'client_closed');
  await waitFor(() => left().length === 2, { what: 'both to be settled' });
  const again = [call(proxy), call(proxy)];
  await waitFor(() => waiting.length === 2, { what: 'both places to be free' });
  for (const end of waiting.splice(0)) end();
  expect((await Promise.all(again)).map(({ status }) => status)).toEqual([200, 200]);
});

describe('TLS', () => {
  test('a target is believed only what an authority vouches for: those of the system, or those of the proxy', async () => {
    const [authority, other] = [await createTestAuthority(), await createTestAuthority('CN=Another')];
    const pair = await authority.issue({ subject: 'CN=target for tests' });
    const server = createTlsServer(pair, (_request, response) => response.end('private')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const target = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;

    await using strict = await startProxy({ target });
    expect((await call(strict)).status).toBe(502);
    expect(lastLog(strict)).toMatchObject({
      denied_reason: 'target_unreachable',
      target_problem: expect.stringMatching(/certificate/),
    });

    await using trusting = await startProxy({ target, targetEntry: { ca: authority.cert } });
    const answer = await call(trusting);
    expect([answer.status, await answer.text()]).toEqual([200, 'private']);

    await using deceived = await startProxy({ target, targetEntry: { ca: other.cert } });
    expect((await call(deceived)).status).toBe(502);
    server.closeAllConnections();
    server.close();
  });
});

describe('a name server that does not answer', () => {
  test('costs its own proxy the time to connect, and the others nothing', async () => {
    await using target = await listen((_request, response) => response.end('ok'));
    const lookup: LookupFunction = () => undefined;
    const timeouts = { connectMs: 100, headersMs: null, idleMs: null };
    await using lost = await startProxy({ target: 'http://llm.example', targetEntry: { timeouts }, links: { lookup } });
    await using near = await startProxy({ target: target.origin, links: { lookup } });
    const waiting = call(lost, 'POST');
    expect((await call(near)).status).toBe(200);
    expect((await waiting).status).toBe(504);
    expect(lastLog(lost)).toMatchObject({
      denied_reason: 'target_timeout',
      target_problem: expect.stringContaining('UND_ERR_CONNECT_TIMEOUT'),
    });
  });

  test('costs a target whose name is known one wait, however many connections are opened to it', async () => {
    let hangs = false;
    let questions = 0;
    const lookup: LookupFunction = (_host, options, answer) => {
      questions += 1;
      if (hangs) return;
      if (options.all === true) answer(null, [{ address: '127.0.0.1', family: 4 }]);
      else answer(null, '127.0.0.1', 4);
    };
    await using target = await listen((_request, response) => {
      response.setHeader('connection', 'close');
      response.end('ok');
    });
    let waits = 0;
    const cached = createCachedLookup({ lookup, freshMs: 0, patienceMs: 100 });
    const counted: LookupFunction = (host, options, answer) => {
      // An old answer comes before the event loop turns.
      const turn = setImmediate(() => (waits += 1));
      cached(host, options, (...given) => {
        clearImmediate(turn);
        answer(...given);
      });
    };
    const origin = `http://llm.example:${new URL(target.origin).port}`;
    await using proxy = await startProxy({ target: origin, links: { lookup: counted } });
    expect((await call(proxy)).status).toBe(200);
    hangs = true;
    const statuses: number[] = [];
    for (let number = 0; number < 50; number += 1) statuses.push((await call(proxy)).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect([questions, waits]).toEqual([2, 1]);
  });
});

test('who called is told by a trusted proxy, and the id of the request goes everywhere', async () => {
  const seen: string[] = [];
  await using target = await listen((request, response) => {
    seen.push(String(request.headers['x-request-id']));
    response.end('ok');
  });
  await using proxy = await startProxy({ target: target.origin, trustedProxies: ['127.0.0.0/8'] });
  const headers = { 'x-forwarded-for': '198.51.100.7, 203.0.113.9, 127.0.0.2', 'user-agent': 'agent/1' };
  const named = await fetch(proxy.origin, {
    headers: { ...headers, 'x-api-key': goodKey, 'x-request-id': 'order-66.1' },
  });
  expect(named.headers.get('x-request-id')).toBe('order-66.1');
  expect(lastLog(proxy)).toMatchObject({
    client_ip: '203.0.113.9',
    user_agent: 'agent/1',
    request_id: 'order-66.1',
  });
  const refused = await fetch(proxy.origin, { headers: { ...headers, 'x-request-id': 'no key' } });
  const id = refused.headers.get('x-request-id');
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(await refused.json()).toMatchObject({ request_id: id });
  expect(lastLog(proxy)).toMatchObject({ client_ip: '203.0.113.9', request_id: id, status_code: 401 });
  expect(seen).toEqual(['order-66.1']);
});
