import { afterEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { openPublicEdge, type PublicEdge } from './public-edge.ts';
import type { Mount } from '../service/service.ts';
import { StartProblem } from '../errors/start-problem.ts';

const edges: PublicEdge[] = [];
afterEach(async () => {
  for (const edge of edges.splice(0)) await edge[Symbol.asyncDispose]();
});

async function open(...mounts: Partial<Mount>[]): Promise<PublicEdge> {
  const edge = await openPublicEdge('127.0.0.1', 0);
  edges.push(edge);
  if (mounts.length > 0) edge.serve(mounts.map((mount) => ({ prefix: '/', ...mount })));
  return edge;
}

/** A handler that leaves every response to the test. */
function createHolder(): { http: RequestListener; next: () => Promise<ServerResponse> } {
  const waiting: ((response: ServerResponse) => void)[] = [];
  return {
    http: (_request, response) => waiting.shift()?.(response),
    next: () => new Promise((resolve) => waiting.push(resolve)),
  };
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

async function get(edge: PublicEdge, headers: Record<string, string> = {}, agent?: Agent, path = '/'): Promise<Answer> {
  const sent = request({ host: '127.0.0.1', port: edge.port, path, headers, ...(agent && { agent }) }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let body = '';
  for await (const chunk of response) body += String(chunk);
  return { status: response.statusCode, headers: response.headers, body };
}

/** Sends bytes as they are and resolves with everything that comes back until the end. */
async function sendRaw(edge: PublicEdge, text: string): Promise<string> {
  const socket = connect(edge.port, '127.0.0.1');
  socket.write(text);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

const upgradeRequest = 'GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

describe('the public edge', () => {
  test('answers 503 until it has a service, then what the service answers', async () => {
    const edge = await open();
    const early = await get(edge);
    expect(early.status).toBe(503);
    expect(JSON.parse(early.body)).toMatchObject({ success: false, error_code: 'SERVICE_UNAVAILABLE' });
    expect(await sendRaw(edge, upgradeRequest)).toMatch(/^HTTP\/1\.1 503 /);

    edge.serve([{ prefix: '/', http: (_request, response) => response.end('hello') }]);
    expect(await get(edge)).toMatchObject({ status: 200, body: 'hello' });
  });

  test('answers 404 to what no service has a handler for', async () => {
    const edge = await open({});
    expect(await get(edge)).toMatchObject({ status: 404, body: expect.stringContaining('NOT_FOUND') });
    expect(await sendRaw(edge, upgradeRequest)).toMatch(/^HTTP\/1\.1 404 .*NOT_FOUND/s);
  });

  test('hands upgrades to the service', async () => {
    const edge = await open({
      upgrade: (_request, socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\nover to you'),
    });
    expect(await sendRaw(edge, upgradeRequest)).toContain('over to you');
  });

  test('gives each path to the service with the longest prefix, upgrades too, each under its own content policy', async () => {
    const say =
      (text: string): RequestListener =>
      (_request, response) =>
        void response.end(text);
    const over = (text: string) => (_request: IncomingMessage, socket: Duplex) => void socket.end(text);
    const edge = await open(
      { http: say('root') },
      { prefix: '/ws', upgrade: over('live') },
      { prefix: '/docs', http: say('docs'), contentSecurityPolicy: "script-src 'self'" },
      { prefix: '/docs/deep', http: say('deep') },
    );
    const ask = async (path: string) => {
      const { body, headers } = await get(edge, {}, undefined, path);
      return [body, headers['content-security-policy'], headers['x-content-type-options']];
    };
    const nothing = "default-src 'none'; frame-ancestors 'none'";
    expect(await ask('/docs/page?x')).toEqual(['docs', "script-src 'self'", 'nosniff']);
    expect(await ask('/docs/deep/page')).toEqual(['deep', nothing, 'nosniff']);
    // The place of upgrades has no handler for requests: they belong to the next shorter one.
    expect(await ask('/ws')).toEqual(['root', nothing, 'nosniff']);
    expect(await sendRaw(edge, upgradeRequest)).toBe('live');
    expect(await sendRaw(edge, upgradeRequest.replace('/ws', '/docs'))).toMatch(/^HTTP\/1\.1 404 /);
  });

  test('survives a client that resets an upgraded connection', async () => {
    const upgraded = Promise.withResolvers<Duplex>();
    const edge = await open({ upgrade: (_request, socket) => upgraded.resolve(socket) });
    const client = connect(edge.port, '127.0.0.1');
    client.write(upgradeRequest);
    const socket = await upgraded.promise;
    const closed = new Promise((resolve) => socket.once('close', resolve));
    client.resetAndDestroy();
    socket.write('to nobody');
    await closed;
    expect((await get(edge)).status).toBe(404);
  });

  test('refuses oversized headers', async () => {
    const edge = await open({ http: (_request, response) => response.end() });
    expect((await get(edge, { big: 'x'.repeat(10_000) })).status).toBe(200);
    expect((await get(edge, { big: 'x'.repeat(20_000) })).status).toBe(431);
  });

  test('names the port when another process has it', async () => {
    const first = await open({});
    const second = openPublicEdge('127.0.0.1', first.port);
    await expect(second).rejects.toThrow(StartProblem);
    await expect(second).rejects.toThrow(`Port ${first.port} on 127.0.0.1 is already in use`);
  });

  test('says what the system says about an address it cannot have', async () => {
    await expect(openPublicEdge('192.0.2.1', 0)).rejects.toThrow(
      /Listening on 192\.0\.2\.1 port 0 failed: .*EADDRNOTAVAIL/,
    );
  });
});

describe('draining', () => {
  test('lets requests in flight finish, closes their connections and takes no new ones', async () => {
    const holder = createHolder();
    const edge = await open(holder);
    const agent = new Agent({ keepAlive: true });
    const held = holder.next();
    const answer = get(edge, {}, agent);
    const response = await held;

    let drained = false;
    const draining = edge.drain(60_000).then(() => (drained = true));
    await expect(get(edge)).rejects.toThrow('ECONNREFUSED');
    expect(drained).toBe(false);

    response.end('late but whole');
    expect(await answer).toMatchObject({ status: 200, body: 'late but whole', headers: { connection: 'close' } });
    await draining;
    agent.destroy();
  });

  test('is over at once when nothing is in flight, idle connections notwithstanding', async () => {
    const edge = await open({ http: (_request, response) => response.end() });
    const agent = new Agent({ keepAlive: true });
    await get(edge, {}, agent);
    await expect(edge.drain(60_000)).resolves.toBeUndefined();
    agent.destroy();
  });

  test('gives up after its time, and disposing breaks off what is left', async () => {
    const holder = createHolder();
    const upgraded = Promise.withResolvers<Duplex>();
    const edge = await open({ ...holder, upgrade: (_request, socket) => upgraded.resolve(socket) });
    const held = holder.next();
    const answer = get(edge);
    await held;
    const client: Socket = connect(edge.port, '127.0.0.1');
    client.on('error', () => undefined);
    client.write(upgradeRequest);
    await upgraded.promise;

    await edge.drain(10);
    const outcomes = Promise.allSettled([answer, once(client, 'close')]);
    await edge[Symbol.asyncDispose]();
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });
});
