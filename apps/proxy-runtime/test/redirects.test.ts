import { createServer, request as openRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { goodKey, listen, startProxy, type RunningProxy } from './start-proxy.ts';

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly key: string | undefined;
  readonly body: string;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Keeps what it was asked, and answers as the test wants it. */
async function startTarget(answer: Answer) {
  const seen: Seen[] = [];
  const peer = await listen((request, response) => {
    void text(request).then((body) => {
      seen.push({ method: request.method, url: request.url, key: request.headers.authorization, body });
      answer(request, response);
    });
  });
  return Object.assign(peer, { seen });
}

const redirect = (response: ServerResponse, status: number, headers: Record<string, string | string[]>): void =>
  void response.writeHead(status, headers).end('moved');

const ask = (proxy: RunningProxy, path: string, body?: object) =>
  fetch(proxy.origin + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'x-api-key': goodKey, 'content-type': 'application/json', authorization: 'Bearer of-the-target' },
    redirect: 'manual',
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

const alerts = (proxy: RunningProxy) => proxy.spool.records.filter(({ kind }) => kind === 'alert');
const log = (proxy: RunningProxy) => proxy.spool.records.findLast(({ kind }) => kind === 'request_log');

const statuses = [300, 301, 302, 303, 305, 306, 307, 308];
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

describe('a redirect within the origin and base path of the target', () => {
  test.each<[string, (origin: string) => string, string]>([
    ['absolute', (origin) => `${origin}/v1/models/?a=1#end`, '/v1/models/?a=1#end'],
    ['without a scheme', (origin) => `${origin.slice('http:'.length)}/v1/other`, '/v1/other'],
    ['a path', () => '/v1/models/', '/v1/models/'],
    ['relative', () => 'models/', '/v1/models/'],
    ['a query', () => '?page=2', '/v1/models?page=2'],
  ])('leads to the proxy: %s', async (_form, location, expected) => {
    await using target = await startTarget((_request, response) =>
      redirect(response, 307, { location: location(target.origin) }),
    );
    await using proxy = await startProxy({ target: `${target.origin}/v1` });
    const answer = await ask(proxy, '/models');
    expect([answer.status, answer.headers.get('location')]).toEqual([307, expected]);
    expect(new URL(expected, proxy.origin).origin).toBe(proxy.origin);
    expect(alerts(proxy)).toEqual([]);
  });

  test.each(['content-location', 'operation-location', 'azure-asyncoperation', 'location'])(
    'is told as a path in %s of another answer, too',
    async (name) => {
      await using target = await startTarget((_request, response) => {
        response.writeHead(201, { [name]: `${target.origin}/v1/jobs/1` }).end('{}');
      });
      await using proxy = await startProxy({ target: target.origin });
      const answer = await ask(proxy, '/v1/jobs', {});
      expect([answer.status, answer.headers.get(name)]).toEqual([201, '/v1/jobs/1']);
    },
  );

  test.each<[string, (origin: string) => string, string]>([
    ['with an address', (origin) => `0; url=${origin}/v1/next`, '0;url=/v1/next'],
    ['in quotes, without its name', (origin) => `3,"${origin}/v1/next" and more`, '3;url=/v1/next'],
    ['without an address', () => '5', '5'],
  ])('is told as a path in Refresh: %s', async (_form, refresh, expected) => {
    await using target = await startTarget((_request, response) => {
      response.writeHead(200, { refresh: refresh(target.origin) }).end('{}');
    });
    await using proxy = await startProxy({ target: target.origin });
    expect((await ask(proxy, '/v1/models')).headers.get('refresh')).toBe(expected);
  });
});

describe('a redirect past the proxy', () => {
  const elsewhere: readonly (readonly [string, (origin: string) => string | string[]])[] = [
    ['another host', () => 'https://elsewhere.example/v1/models?key=secret'],
    ['another port', (origin) => `${origin.replace(/\d+$/, '1')}/v1/models`],
    ['another scheme', (origin) => `${origin.replace('http:', 'https:')}/v1/models`],
    ['a host without a scheme', () => '//elsewhere.example/v1/models'],
    ['a host behind backslashes', () => '/\\elsewhere.example/v1/models'],
    ['a host in the path', (origin) => `${origin}//elsewhere.example/v1/models`],
    ['credentials', (origin) => `${origin.replace('//', '//user:word@')}/v1/models`],
    ['beside the base path', () => '/v2/models'],
    ['out of the base path', () => '/v1/../v2/models'],
    ['out of it for some readers', () => '/v1/%2e%2e%2fv2/models'],
    ['no scheme of the web', () => 'javascript:alert(1)'],
    ['nothing that can be read', () => 'http://[half'],
    ['two addresses', () => ['/v1/a', 'https://elsewhere.example/v1/b']],
  ];

  test.each(elsewhere)('is refused, with an alert: %s', async (_what, location) => {
    await using target = await startTarget((_request, response) =>
      redirect(response, 308, { location: location(target.origin) }),
    );
    for (const type of ['llm', 'mcp'] as const) {
      await using proxy = await startProxy({ target: `${target.origin}/v1`, proxy: { type } });
      const answer = await ask(proxy, '/models', ping);
      expect([answer.status, answer.headers.get('location')]).toEqual([502, null]);
      expect(await answer.json()).toMatchObject({ error: 'The target redirects past the gateway' });
      expect(alerts(proxy)).toMatchObject([{ rule_id: 'TARGET_REDIRECT', severity: 'High', action: 'Block' }]);
      expect(log(proxy)).toMatchObject({ status_code: 502, denied_reason: 'target_redirected' });
      expect(JSON.stringify(proxy.spool.records)).not.toMatch(/key=secret|user:word/);
    }
    expect(target.seen).toHaveLength(2);
  });

  test('is refused where a path of a target without a base path begins like a host', async () => {
    await using target = await startTarget((_request, response) =>
      redirect(response, 308, { location: `${target.origin}//elsewhere.example/v1/models` }),
    );
    await using proxy = await startProxy({ target: target.origin });
    const answer = await ask(proxy, '/v1/models');
    expect([answer.status, answer.headers.get('location')]).toEqual([502, null]);
  });

  test.each(statuses)('is refused with the status %i', async (status) => {
    await using target = await startTarget((_request, response) =>
      redirect(response, status, { location: 'https://elsewhere.example/' }),
    );
    await using proxy = await startProxy({ target: target.origin });
    expect((await ask(proxy, '/v1/models')).status).toBe(502);
  });

  test.each([
    ['content-location', 'https://elsewhere.example/v1'],
    ['refresh', '0;URL=https://elsewhere.example/v1'],
    ['refresh', "1 , url = 'https://elsewhere.example/v1'"],
    ['refresh', '0 https://elsewhere.example/v1'],
  ])('is refused in an answer with status 200, in %s: %s', async (name, value) => {
    await using target = await startTarget((_request, response) => {
      response.writeHead(200, { [name]: value }).end('{}');
    });
    await using proxy = await startProxy({ target: target.origin });
    const answer = await ask(proxy, '/v1/models');
    expect([answer.status, answer.headers.get(name)]).toEqual([502, null]);
    expect(alerts(proxy)).toMatchObject([{ rule_id: 'TARGET_REDIRECT', action: 'Block' }]);
  });

  test.each(['location', 'operation-location'])('stays here where nobody is sent there: %s', async (name) => {
    await using target = await startTarget((_request, response) => {
      response.writeHead(201, { [name]: 'https://elsewhere.example/jobs/1' }).end('{}');
    });
    await using proxy = await startProxy({ target: target.origin });
    const answer = await ask(proxy, '/v1/jobs', {});
    expect([answer.status, answer.headers.get(name)]).toEqual([201, null]);
    expect(alerts(proxy)).toMatchObject([{ rule_id: 'TARGET_REDIRECT', action: 'Redact' }]);
  });
});

describe('an MCP server that is mounted at another path', () => {
  const mounted =
    (status: number, headers: (path: string) => Record<string, string>): Answer =>
    ({ url = '' }, response) => {
      if (!url.startsWith('/mcp/')) return redirect(response, status, headers(`/mcp/${url.replace(/^\/mcp/, '')}`));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc":"2.0","id":1,"result":{}}');
    };

  test.each([301, 302, 307, 308])('is asked again there, once, after %i', async (status) => {
    await using target = await startTarget(mounted(status, (location) => ({ location, 'content-length': '5' })));
    await using proxy = await startProxy({ target: `${target.origin}/mcp`, proxy: { type: 'mcp' } });
    const answer = await ask(proxy, '/mcp?team=1', ping);
    expect([answer.status, await answer.json()]).toEqual([200, { jsonrpc: '2.0', id: 1, result: {} }]);
    const expected = { method: 'POST', key: 'Bearer of-the-target', body: JSON.stringify(ping) };
    expect(target.seen).toEqual([
      { ...expected, url: '/mcp?team=1' },
      { ...expected, url: '/mcp/?team=1' },
    ]);
    expect(log(proxy)).toMatchObject({ status_code: 200 });
    expect(alerts(proxy)).toEqual([]);
  });

  test('also where the redirect has a body without a length, or one that does not end', async () => {
    await using target = await startTarget(({ url }, response) => {
      if (url === '/mcp/') response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      else response.writeHead(307, { location: '/mcp/' }).write('moved');
    });
    await using proxy = await startProxy({ target: `${target.origin}/mcp`, proxy: { type: 'mcp' } });
    expect((await ask(proxy, '/mcp', ping)).status).toBe(200);
    expect(target.seen.map(({ url }) => url)).toEqual(['/mcp', '/mcp/']);
  });

  test('and sends its client on where it redirects a second time', async () => {
    await using target = await startTarget(({ url }, response) => redirect(response, 307, { location: `${url}/` }));
    await using proxy = await startProxy({ target: `${target.origin}/mcp`, proxy: { type: 'mcp' } });
    const answer = await ask(proxy, '/mcp', ping);
    expect([answer.status, answer.headers.get('location')]).toEqual([307, '/mcp//']);
    expect(target.seen).toHaveLength(2);
  });

  test('is not asked again behind 303, which asks for another method', async () => {
    await using target = await startTarget((_request, response) => redirect(response, 303, { location: '/mcp/' }));
    await using proxy = await startProxy({ target: `${target.origin}/mcp`, proxy: { type: 'mcp' } });
    expect((await ask(proxy, '/mcp', ping)).status).toBe(303);
    expect(target.seen).toHaveLength(1);
  });
});

test.each([
  ['https://elsewhere.example/mcp', 502, undefined],
  ['/mcp/', 307, '/mcp/'],
])('an upgrade that is redirected to %s is answered with %i', async (location, status, told) => {
  const target = createServer().listen(0, '127.0.0.1');
  await once(target, 'listening');
  target.on('upgrade', (_request, socket) => {
    socket.end(`HTTP/1.1 307 Moved\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`);
  });
  const { port } = target.address() as AddressInfo;
  await using proxy = await startProxy({ target: `http://127.0.0.1:${port}`, proxy: { type: 'mcp' } });
  const outgoing = openRequest(`${proxy.origin}/mcp`, {
    headers: {
      'x-api-key': goodKey,
      connection: 'upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    },
  }).end();
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  answer.resume();
  expect([answer.statusCode, answer.headers.location]).toEqual([status, told]);
  expect(alerts(proxy)).toHaveLength(status === 502 ? 1 : 0);
  target.close();
});
