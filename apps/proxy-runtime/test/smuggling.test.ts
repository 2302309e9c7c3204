import { connect } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { waitFor } from '@portcullis/testkit/wait-for';
import { goodKey, listen, startProxy, type RunningProxy } from './start-proxy.ts';

interface Seen {
  readonly url: string;
  readonly headers: readonly string[];
  readonly body: string;
}

async function startTarget() {
  const seen: Seen[] = [];
  const peer = await listen((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      seen.push({ url: request.url ?? '', headers: request.rawHeaders, body });
      response.end('ok');
    });
  });
  return { ...peer, seen };
}

/** Sends bytes as they are and answers what comes back until the connection ends, or `answers` answers came. */
const send = (proxy: RunningProxy, bytes: string, answers = 1): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(proxy.origin);
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.on('data', (data) => {
      received += String(data);
      const bodies = received.match(/\r\n\r\n(?:ok|\{.*?\}|[0-9a-f]+\r\n.*?\r\n0\r\n\r\n)/gs) ?? [];
      if (bodies.length >= answers) socket.destroy();
    });
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
    socket.write(bytes, 'latin1');
  });

const statuses = (received: string): number[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));

const head = (line: string, ...headers: string[]) =>
  [line, 'Host: proxy', `X-API-Key: ${goodKey}`, ...headers, '', ''].join('\r\n');
const inner = head('GET /inner HTTP/1.1');

describe('what two readers might read in two ways is refused, and the connection with it', () => {
  test.each([
    ['two lengths of a body', head('POST / HTTP/1.1', 'Content-Length: 5', 'Content-Length: 6') + 'hello'],
    ['the same length twice', head('POST / HTTP/1.1', 'Content-Length: 5', 'Content-Length: 5') + 'hello'],
    ['a list of lengths', head('POST / HTTP/1.1', 'Content-Length: 5, 5') + 'hello'],
    ['a length with a sign', head('POST / HTTP/1.1', 'Content-Length: +5') + 'hello'],
    ['a length and chunks', head('POST / HTTP/1.1', 'Content-Length: 5', 'Transfer-Encoding: chunked') + '0\r\n\r\n'],
    ['chunks and a length', head('POST / HTTP/1.1', 'Transfer-Encoding: chunked', 'Content-Length: 5') + '0\r\n\r\n'],
    ['something like chunked', head('POST / HTTP/1.1', 'Transfer-Encoding: xchunked') + '0\r\n\r\n'],
    ['chunked that is not last', head('POST / HTTP/1.1', 'Transfer-Encoding: chunked, identity') + '0\r\n\r\n'],
    ['a coding under the chunks', head('POST / HTTP/1.1', 'Transfer-Encoding: gzip, chunked') + '0\r\n\r\n'],
    ['chunks of HTTP/1.0', head('POST / HTTP/1.0', 'Transfer-Encoding: chunked') + '0\r\n\r\n'],
    ['chunked on a folded line', head('POST / HTTP/1.1', 'Transfer-Encoding:\r\n chunked') + '0\r\n\r\n'],
    ['a folded header', head('GET / HTTP/1.1', 'X-A: 1\r\n 2')],
    ['lines without CR', head('GET / HTTP/1.1').replaceAll('\r', '')],
    ['one line without CR', head('GET / HTTP/1.1', 'X-A: 1\nX-B: 2')],
    ['a CR within a line', head('GET / HTTP/1.1', 'X-A: 1\rX-B: 2')],
    ['a space before the colon', head('GET / HTTP/1.1', 'Content-Length : 5') + 'hello'],
    ['a NUL in a header', head('GET / HTTP/1.1', 'X-A: a\0b')],
    ['a chunk size that is none', head('POST / HTTP/1.1', 'Transfer-Encoding: chunked') + '0x5\r\nhello\r\n0\r\n\r\n'],
    [
      'a chunk extension that ends in LF',
      head('POST / HTTP/1.1', 'Transfer-Encoding: chunked') + '5;a\nhello\r\n0\r\n\r\n',
    ],
    [
      'a trailer that sets the length',
      head('POST / HTTP/1.1', 'Transfer-Encoding: chunked') + '0\r\nContent-Length: 3\r\n\r\n',
    ],
    ['two hosts', head('GET / HTTP/1.1', 'Host: other')],
    ['no host', `GET / HTTP/1.1\r\nX-API-Key: ${goodKey}\r\n\r\n`],
    ['a host that is none', `GET / HTTP/1.1\r\nHost: a b/c\r\nX-API-Key: ${goodKey}\r\n\r\n`],
    ['the target of a forward proxy', head('GET http://evil.example/v1 HTTP/1.1')],
    ['a target with a fragment', head('GET /v1#x HTTP/1.1')],
    ['a target that is no path', head('OPTIONS * HTTP/1.1')],
    ['a space in the target', head('GET /a b HTTP/1.1')],
    ['another protocol', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ])('%s', async (_what, bytes) => {
    await using target = await startTarget();
    await using proxy = await startProxy({ target: target.origin });
    const received = await send(proxy, bytes + inner);
    expect(statuses(received)[0]).toBe(400);
    expect(target.seen.filter(({ url }) => url !== '/inner')).toEqual([]);
    const logged = proxy.spool.records.filter((record) => record.kind === 'request_log');
    expect(logged[0]).toMatchObject({ client_ip: '127.0.0.1', status_code: 400, denied_reason: expect.any(String) });
    expect(logged.filter(({ denied_stage: stage }) => stage === 'listener').length).toBeLessThan(2);
  });

  test('a tunnel', async () => {
    await using target = await startTarget();
    await using proxy = await startProxy({ target: target.origin });
    expect(statuses(await send(proxy, head('CONNECT evil.example:443 HTTP/1.1')))).toEqual([405]);
    expect(target.seen).toEqual([]);
    expect(proxy.spool.records).toMatchObject([{ status_code: 405, denied_stage: 'listener' }]);
  });
});

test('chunks, their extensions and trailers arrive as one body of a known length', async () => {
  await using target = await startTarget();
  await using proxy = await startProxy({ target: target.origin });
  const chunked = head('POST /a HTTP/1.1', 'Content-Type: text/plain', 'Transfer-Encoding: chunked', 'Trailer: X-T');
  const received = await send(proxy, `${chunked}5;note=x\r\nhello\r\n0\r\nX-T: x\r\n\r\n`);
  expect(statuses(received)).toEqual([200]);
  expect(target.seen).toMatchObject([{ url: '/a', body: 'hello' }]);
  const names = target.seen[0]?.headers.map((text) => text.toLowerCase()) ?? [];
  expect(names.slice(names.indexOf('content-length'))[1]).toBe('5');
  for (const gone of ['transfer-encoding', 'trailer', 'x-t']) expect(names).not.toContain(gone);
});

test('a body that looks like a request stays a body', async () => {
  await using target = await startTarget();
  await using proxy = await startProxy({ target: target.origin });
  const received = await send(proxy, head('GET /outer HTTP/1.1', `Content-Length: ${inner.length}`) + inner + inner, 2);
  expect(statuses(received)).toEqual([200, 200]);
  expect(target.seen.map(({ url, body }) => [url, body])).toEqual([
    ['/outer', inner],
    ['/inner', ''],
  ]);
});

test('headers of this hop, and those that the Connection header names, go no further', async () => {
  await using target = await startTarget();
  await using proxy = await startProxy({ target: target.origin });
  await send(
    proxy,
    head(
      'GET /a HTTP/1.1',
      'Connection: X-Hop, keep-alive',
      'X-Hop: 1',
      'TE: trailers',
      'Proxy-Authorization: x',
      'X-End: 1',
    ),
  );
  const names = target.seen[0]?.headers.map((text) => text.toLowerCase()) ?? [];
  for (const gone of ['x-hop', 'te', 'proxy-authorization', 'x-api-key']) expect(names).not.toContain(gone);
  expect(names).toContain('x-end');
  expect(names[names.indexOf('host') + 1]).toBe(new URL(target.origin).host);
});

describe('a client that asks whether its body is welcome', () => {
  const asking = (key: string, length: number) =>
    `POST /a HTTP/1.1\r\nHost: proxy\r\nX-API-Key: ${key}\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`;

  test('is told so once its key is good, and sends it', async () => {
    await using target = await startTarget();
    await using proxy = await startProxy({ target: target.origin });
    const received = await new Promise<string>((resolve, reject) => {
      const { hostname, port } = new URL(proxy.origin);
      const socket = connect(Number(port), hostname);
      let all = '';
      socket.on('data', (data) => {
        all += String(data);
        if (all === 'HTTP/1.1 100 Continue\r\n\r\n') socket.write('hello');
        if (all.endsWith('ok')) socket.destroy();
      });
      socket.on('close', () => resolve(all));
      socket.on('error', reject);
      socket.write(asking(goodKey, 5));
    });
    expect(statuses(received)).toEqual([100, 200]);
    expect(target.seen).toMatchObject([{ url: '/a', body: 'hello' }]);
    expect(target.seen[0]?.headers.map((text) => text.toLowerCase())).not.toContain('expect');
  });

  test.each([
    ['an unknown key', 'gw_nobody', 5, 401],
    ['a body too large', goodKey, 1_000_000, 413],
  ])('is refused without it for %s, and the connection ends', async (_what, key, length, status) => {
    await using target = await startTarget();
    await using proxy = await startProxy({ target: target.origin });
    // It waits for the end of the connection: a second answer would never come.
    expect(statuses(await send(proxy, asking(key, length), 2))).toEqual([status]);
    expect(target.seen).toEqual([]);
  });
});

describe('clients are bounded', () => {
  test('in the size of their headers', async () => {
    await using target = await startTarget();
    await using proxy = await startProxy({ target: target.origin });
    const received = await send(proxy, head('GET / HTTP/1.1', `X-A: ${'a'.repeat(40_000)}`));
    expect(statuses(received)).toEqual([431]);
    expect(received).toContain('"error_code":"BAD_REQUEST"');
    expect(proxy.problems).toEqual(['unreadable: headers_too_large']);
    expect(proxy.spool.records).toMatchObject([
      {
        kind: 'request_log',
        proxy_id: 7,
        client_ip: '127.0.0.1',
        status_code: 431,
        denied_reason: 'headers_too_large',
      },
    ]);
  });

  test('and one that hangs up half way is none that cannot be read', async () => {
    await using target = await startTarget();
    await using proxy = await startProxy({ target: target.origin });
    const { hostname, port } = new URL(proxy.origin);
    const leaving = connect(Number(port), hostname);
    leaving.write(`${head('POST / HTTP/1.1', 'Content-Length: 100')}hel`);
    await waitFor(() => leaving.bytesWritten > 0 && leaving.writableLength === 0, { what: 'the beginning to leave' });
    leaving.end();
    await waitFor(() => proxy.spool.records.length > 0, { what: 'the record' });
    expect(proxy.spool.records.find(({ kind }) => kind === 'request_log')).toMatchObject({ status_code: 499 });
    expect(proxy.problems).toEqual([]);
  });

  test('in the size of chunk extensions', async () => {
    await using target = await startTarget();
    await using proxy = await startProxy({ target: target.origin });
    const chunked = head('POST / HTTP/1.1', 'Transfer-Encoding: chunked');
    expect(statuses(await send(proxy, `${chunked}5;${'a'.repeat(20_000)}\r\nhello\r\n0\r\n\r\n`))).toEqual([413]);
    // It was a request already when the rest of it could not be read.
    await waitFor(() => proxy.spool.records.length > 0, { what: 'the record' });
    expect(proxy.spool.records.filter(({ kind }) => kind === 'request_log')).toHaveLength(1);
  });

  test.each([
    ['headers', `GET / HTTP/1.1\r\nHost: proxy\r\n`],
    ['a body', `${head('POST / HTTP/1.1', 'Content-Length: 100')}hel`],
  ])('in the time that %s may take', async (_what, bytes) => {
    await using target = await startTarget();
    const limits = { headersTimeoutMs: 100, requestTimeoutMs: 200, checkEveryMs: 50 };
    await using proxy = await startProxy({ target: target.origin, limits });
    expect(statuses(await send(proxy, bytes))).toEqual([408]);
    expect(target.seen).toEqual([]);
  });

  test('in their number', async () => {
    await using target = await startTarget();
    await using proxy = await startProxy({ target: target.origin, limits: { maxConnections: 1 } });
    const { hostname, port } = new URL(proxy.origin);
    const first = connect(Number(port), hostname);
    await waitFor(() => first.readyState === 'open', { what: 'the first connection' });
    expect(await send(proxy, head('GET / HTTP/1.1')).catch(() => '')).toBe('');
    first.destroy();
    await waitFor(async () => (await send(proxy, head('GET / HTTP/1.1')).catch(() => '')).includes(' 200 '), {
      what: 'the place of the first',
    });
  });
});
