import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { killScripts, startScript, type Script } from '@portcullis/platform/test/hosting/start-script';
import { createEmptyDatabase } from '@portcullis/platform/test/test-database';
import { findFreePort } from '@portcullis/testkit/free-port';
import { startGatewayProcess, type GatewayProcess } from '@portcullis/testkit/gateway-process';
import { createTestAuthority, type TestAuthority } from '@portcullis/testkit/test-authority';
import { testAdmin, testSecrets } from '@portcullis/testkit/test-gateway';
import { waitFor } from '@portcullis/testkit/wait-for';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { clearRedis } from './start-gateway.ts';

// The management API has the public port; a service that it knows nothing of runs as a second process.

const opened = new AsyncDisposableStack();
const scripts: Script[] = [];
let environment: Record<string, string>;
let management: GatewayProcess;
let edge: string;
let token: string;
let authority: TestAuthority;

const startService = (options: Record<string, string> = {}): void =>
  void scripts.push(startScript('example-process.ts', [], { ...environment, ...options }));

beforeAll(async () => {
  const database = opened.use(await createEmptyDatabase('server'));
  const dataDirectory = await mkdtemp(join(tmpdir(), 'portcullis-services-'));
  opened.defer(() => rm(dataDirectory, { recursive: true, force: true }));
  environment = {
    ...testSecrets,
    DATABASE_URL: database.url?.reveal() ?? '',
    REDIS_URL: await clearRedis(),
    DATA_DIR: dataDirectory,
    HOST: '127.0.0.1',
    LOG_FORMAT: 'json',
    PORT: String(await findFreePort()),
  };
  authority = await createTestAuthority();
  const authorityFile = join(dataDirectory, 'authority.pem');
  await writeFile(authorityFile, authority.cert);
  management = await startGatewayProcess('management-api', {
    ...environment,
    PORT: '0',
    NODE_EXTRA_CA_CERTS: authorityFile,
  });
  opened.defer(async () => void (await management.stop()));
  opened.defer(() => killScripts(scripts));
  edge = `http://127.0.0.1:${management.port}`;
  const login = await fetch(`${edge}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(testAdmin),
  });
  token = ((await login.json()) as { data: { token: string } }).data.token;
  startService();
  await waitFor(async () => (await call('/examples/open')).status === 200, { what: 'the service to be found' });
});
afterAll(() => opened.disposeAsync());

const call = (path: string, init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {}) =>
  fetch(edge + path, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } });

/** Opens a stream, from an address of its own, and answers it with its first event. */
async function openStream(path: string, headers: OutgoingHttpHeaders = {}) {
  const sent = request(edge + path, { headers, localAddress: '127.0.0.2', agent: new Agent() }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const [event] = (await once(answer, 'data')) as [Buffer];
  const seen = JSON.parse(event.toString().replace('data: ', '')) as Record<string, string>;
  opened.defer(() => void sent.destroy());
  return { sent, answer, seen };
}

const openStreams = async () => Number(await (await call('/examples/open')).text());

test('a login at one process is one at another, with roles, limits of bodies and policies of its own', async () => {
  const me = await call('/api/v1/examples/me', { headers: { 'x-request-id': 'mine-1' } });
  expect(await me.json()).toMatchObject({
    data: { caller: { kind: 'user', username: 'admin' }, client_ip: '127.0.0.1', request_id: 'mine-1' },
  });
  expect(me.headers.get('x-request-id')).toBe('mine-1');
  expect(me.headers.get('content-security-policy')).toBe("default-src 'self'");
  expect((await fetch(`${edge}/api/v1/examples/me`)).status).toBe(401);
  expect((await call('/api/v1/examples/nothing')).status).toBe(404);
  // The management API still has everything else.
  expect((await call('/api/v1/proxies')).status).toBe(200);
});

test('a large body goes through whole, and one that is too large is refused by the service', async () => {
  const send = (length: number) =>
    call('/api/v1/examples', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'x'.repeat(length) }),
    });
  expect(await (await send(4_000_000)).json()).toMatchObject({ success: true, data: { length: 4_000_000 } });
  expect(await (await send(30_000_000)).json()).toMatchObject({ success: false, error_code: 'PAYLOAD_TOO_LARGE' });
});

test('events stream through as they come, and a client that leaves ends the call', async () => {
  const forged = {
    'x-forwarded-for': '203.0.113.9',
    'x-forwarded-proto': 'https',
    'x-portcullis-edge': 'made-up',
    forwarded: 'for=203.0.113.9',
    expect: '100-continue',
  };
  const { sent, seen } = await openStream('/examples/stream', forged);
  expect(seen).toMatchObject({
    'x-forwarded-for': '127.0.0.2',
    'x-forwarded-proto': 'http',
    'x-forwarded-host': edge.replace('http://', ''),
    'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
  });
  expect([seen['forwarded'], seen['expect']]).toEqual([undefined, undefined]);
  expect(await openStreams()).toBe(1);
  sent.destroy();
  await waitFor(async () => (await openStreams()) === 0, { what: 'the service to hear that the client left' });
});

test('more streams stay open than connections are usual, and others go on beside them', async () => {
  const streams = await Promise.all(Array.from({ length: 300 }, () => openStream('/examples/stream')));
  expect(await openStreams()).toBe(300);
  for (const { sent } of streams) sent.destroy();
  await waitFor(async () => (await openStreams()) === 0, { what: 'all to end' });
});

test('a service that breaks an answer off breaks it off for the client', async () => {
  const { answer } = await openStream('/examples/stream?break');
  await expect(once(answer, 'end')).rejects.toThrow('aborted');
});

test('the address of the client is that of the edge alone to tell', async () => {
  const [, port] = (await scripts.at(-1)?.said(/listening on (\d+)/)) ?? [];
  const path = `http://127.0.0.1:${port}/api/v1/examples/me`;
  const shown = async (url: string, headers: Record<string, string>) => {
    const sent = request(url, { headers: { authorization: `Bearer ${token}`, ...headers }, localAddress: '127.0.0.2' });
    const [answer] = (await once(sent.end(), 'response')) as [IncomingMessage];
    const body = (await answer.toArray()).join('');
    sent.destroy();
    return (JSON.parse(body) as { data: { client_ip: string } }).data.client_ip;
  };
  expect(await shown(`${edge}/api/v1/examples/me`, { 'x-forwarded-for': '203.0.113.9' })).toBe('127.0.0.2');
  const { seen } = await openStream('/examples/stream');
  expect(await shown(path, { 'x-forwarded-for': '203.0.113.9' })).toBe('127.0.0.2');
  const stolen = {
    'x-portcullis-edge': String(seen['x-portcullis-edge']),
    'x-request-id': String(seen['x-request-id']),
  };
  expect(await shown(path, { ...stolen, 'x-forwarded-for': '203.0.113.9' })).toBe('127.0.0.2');
});

test('in a change of secrets an edge that has the new one is believed by a service that has not', async () => {
  const edgeOfNext = await startGatewayProcess('management-api', {
    ...environment,
    DATA_DIR: join(environment['DATA_DIR'] ?? '', 'next'),
    PORT: '0',
    JWT_SECRET: 'n'.repeat(40),
    JWT_SECRET_PREVIOUS: testSecrets.JWT_SECRET,
  });
  try {
    const url = `http://127.0.0.1:${edgeOfNext.port}/api/v1/examples/me`;
    const shown = await waitFor(
      async () => {
        const headers = { authorization: `Bearer ${token}` };
        const sent = request(url, { headers, localAddress: '127.0.0.2' }).end();
        const [answer] = (await once(sent, 'response')) as [IncomingMessage];
        const body = (await answer.toArray()).join('');
        return answer.statusCode === 200 && (JSON.parse(body) as { data: { client_ip: string } });
      },
      { what: 'the service to be found' },
    );
    expect(shown.data.client_ip).toBe('127.0.0.2');
  } finally {
    await edgeOfNext.stop();
  }
});

test('WebSockets go both ways', async () => {
  const client = new WebSocket(`${edge.replace('http', 'ws')}/examples/ws`);
  await once(client, 'open');
  client.send('hello');
  const [data] = (await once(client, 'message')) as [Buffer];
  expect(data.toString()).toBe('heard hello');
  client.close();
  await once(client, 'close');
  const nowhere = new WebSocket(`${edge.replace('http', 'ws')}/examples/stream`);
  await expect(once(nowhere, 'open')).rejects.toThrow('404');
});

test('while the service is away its paths answer 503, and it is found again when it is back', async () => {
  const client = new WebSocket(`${edge.replace('http', 'ws')}/examples/ws`);
  await once(client, 'open');
  const { answer } = await openStream('/examples/stream');
  const ended = Promise.allSettled([once(client, 'close'), once(answer, 'end')]);
  await killScripts(scripts);
  expect((await ended).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);

  const page = { origin: 'http://localhost:3000' };
  const away = await call('/api/v1/examples/me', { headers: page });
  expect([away.status, away.headers.get('retry-after')]).toEqual([503, '2']);
  expect(await away.json()).toMatchObject({
    success: false,
    error_code: 'SERVICE_UNAVAILABLE',
    request_id: away.headers.get('x-request-id'),
  });
  // A page can read that, and its preflight is answered, or it would never come so far.
  expect(away.headers.get('access-control-allow-origin')).toBe(page.origin);
  const asked = { ...page, 'access-control-request-method': 'GET' };
  const preflight = await call('/api/v1/examples/me', { method: 'OPTIONS', headers: asked });
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, page.origin]);
  const stranger = await call('/api/v1/examples/me', { headers: { origin: 'https://elsewhere.example' } });
  expect([stranger.status, stranger.headers.get('access-control-allow-origin')]).toEqual([503, null]);
  const metrics = await (await call('/api/v1/metrics/prometheus')).text();
  expect(metrics).toMatch(/^gateway_errors_total{endpoint="\/api\/v1\/examples",status="503"} [1-9]/m);
  const socket = new WebSocket(`${edge.replace('http', 'ws')}/examples/ws`);
  await expect(once(socket, 'open')).rejects.toThrow('503');
  expect((await call('/api/v1/proxies')).status).toBe(200);

  startService();
  await waitFor(async () => (await call('/api/v1/examples/me')).status === 200, { what: 'the service to be back' });

  // It signs off when it stops: then the edge knows before anything fails, and forgets its places no more than before.
  scripts.at(-1)?.child.kill('SIGTERM');
  await scripts.at(-1)?.ended;
  expect((await call('/api/v1/examples/me')).status).toBe(503);
  expect((await call('/api/v1/example')).status).toBe(404);
});

test('a service with a certificate is believed if it is of a known authority and names its address, under any name by which the client calls the gateway', async () => {
  const startWith = async (issuer: TestAuthority, name: string): Promise<void> => {
    const { cert, key } = await issuer.issue({ subject: `CN=${name}` });
    const files = {
      TLS_CERT_FILE: join(environment['DATA_DIR'] ?? '', `${name}.crt`),
      TLS_KEY_FILE: join(environment['DATA_DIR'] ?? '', `${name}.key`),
    };
    await writeFile(files.TLS_CERT_FILE, cert);
    await writeFile(files.TLS_KEY_FILE, key);
    startService(files);
  };
  await startWith(authority, 'known');
  await waitFor(async () => (await call('/api/v1/examples/me')).status === 200, { what: 'the service to be back' });
  const { seen, sent } = await openStream('/examples/stream', { host: 'gateway.example' });
  expect(seen['x-forwarded-host']).toBe('gateway.example');
  sent.destroy();

  scripts.at(-1)?.child.kill('SIGTERM');
  await scripts.at(-1)?.ended;
  await startWith(await createTestAuthority('CN=Another authority'), 'unknown');
  await scripts.at(-1)?.said(/listening on/);
  await waitFor(
    async () => {
      const { status } = await call('/api/v1/examples/me');
      return (
        status === 503 && management.output.some((line) => line.includes('handed on') && line.includes('certificate'))
      );
    },
    { what: 'the certificate to be refused' },
  );
});
