import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findFreePort } from '@portcullis/testkit/free-port';
import { StartFailed, startGatewayProcess } from '@portcullis/testkit/gateway-process';
import { startLlmPeer, type LlmPeer } from '@portcullis/testkit/llm-peer';
import { createTestAuthority, trustAuthority, type TestAuthority } from '@portcullis/testkit/test-authority';
import { testSecrets, type TestGateway } from '@portcullis/testkit/test-gateway';
import { waitFor } from '@portcullis/testkit/wait-for';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { WebSocket } from 'ws';
import { setUpProxy } from './set-up-proxy.ts';
import { startGateway } from './start-gateway.ts';

const folder = mkdtempSync(join(tmpdir(), 'portcullis-tls-e2e-'));
const files = { TLS_CERT_FILE: join(folder, 'tls.crt'), TLS_KEY_FILE: join(folder, 'tls.key') };
const pairs = join(folder, 'pairs');
const chat = JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hello' }] });

let authority: TestAuthority;
let trusted: Disposable;
let gateway: TestGateway;
let model: LlmPeer;

const issue = async (subject: string, days = 90, [cert, key] = [files.TLS_CERT_FILE, files.TLS_KEY_FILE]) => {
  const pair = await authority.issue({ subject, days });
  writeFileSync(cert, pair.cert);
  writeFileSync(key, pair.key);
};

const nameOn = async (port: number): Promise<string> => {
  const socket = connect({ port, host: '127.0.0.1', servername: 'localhost' });
  await once(socket, 'secureConnect');
  const { subject } = socket.getPeerCertificate();
  socket.destroy();
  return subject.CN as string;
};

const ask = (port: number, key: string): Promise<Response> =>
  fetch(`https://localhost:${port}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: chat,
  });

beforeAll(async () => {
  authority = await createTestAuthority();
  trusted = trustAuthority(authority);
  await issue('CN=gateway');
  model = await startLlmPeer();
  gateway = await startGateway('one process', { ...files, TLS_PAIRS_DIR: pairs });
}, 60_000);
afterAll(async () => {
  trusted[Symbol.dispose]();
  await gateway[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

describe('a gateway with a certificate', () => {
  test('speaks TLS on the public port, on /ws and on its proxies, and nothing in clear', async () => {
    expect(gateway.url).toMatch(/^https:/);
    const proxy = await setUpProxy(gateway.admin, model.url);
    expect((await ask(proxy.port, proxy.key)).status).toBe(200);
    expect((await ask(proxy.port, 'gw_wrong')).status).toBe(401);
    for (const port of [proxy.port, Number(new URL(gateway.url).port)]) {
      await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow('fetch failed');
    }
    const live = new WebSocket(`${gateway.url.replace('https:', 'wss:')}/ws?token=${gateway.admin.token}`);
    await once(live, 'open');
    live.close();
    expect((await gateway.admin.call<{ problems?: unknown }>('GET', '/health')).data).toMatchObject({
      status: 'healthy',
    });
  });

  test('gives a proxy its own pair, keeps the port closed without it, and opens it when it is there', async () => {
    const { admin } = gateway;
    const port = await findFreePort();
    const { id } = await admin.expect<{ id: number }>('POST', '/proxies', {
      name: 'own pair',
      type: 'llm',
      target: model.url,
      port,
      policy_names: [],
      settings: { tls_pair: 'team' },
    });
    const addPair = async (name: string): Promise<void> => {
      mkdirSync(join(pairs, name), { recursive: true });
      await issue(`CN=${name}`, 90, [join(pairs, name, 'tls.crt'), join(pairs, name, 'tls.key')]);
    };
    const refused = await admin.call('POST', `/proxies/${id}/start`);
    expect(refused).toMatchObject({
      status: 409,
      message: expect.stringContaining('could not start: TLS pair team: '),
    });
    await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow('fetch failed');
    await addPair('team');
    await admin.expect('POST', `/proxies/${id}/start`);
    expect(await nameOn(port)).toBe('team');

    await admin.call('PUT', `/proxies/${id}`, { settings: { tls_pair: 'later' } });
    const lastError = async () =>
      (await admin.expect<{ last_error: string | null }>('GET', `/proxies/${id}/status`)).last_error;
    await waitFor(async () => (await lastError())?.includes('TLS pair later'), { what: 'the reason' });
    await expect(nameOn(port)).rejects.toThrow('ECONNREFUSED');
    await addPair('later');
    await waitFor(async () => (await nameOn(port)) === 'later', { what: 'the port of the proxy', timeoutMs: 10_000 });
    await waitFor(async () => (await lastError()) === null, { what: 'the state of the proxy' });

    await admin.expect('PUT', `/proxies/${id}`, { settings: { tls_pair: null } });
    await waitFor(async () => (await nameOn(port)) === 'gateway', { what: 'the pair of the gateway' });
    const escape = await admin.call('PUT', `/proxies/${id}`, { settings: { tls_pair: '../tls' } });
    expect(escape.status).toBe(400);
  });

  test('takes a renewed certificate within five seconds, and tells of one that ends soon', async () => {
    await issue('CN=renewed', 5);
    const renewed = async () => (await nameOn(Number(new URL(gateway.url).port))) === 'renewed';
    await waitFor(renewed, { what: 'the renewed certificate', timeoutMs: 5_000 });
    const health = await gateway.admin.call<{ status: string; problems: string[] }>('GET', '/health');
    expect(health.data).toMatchObject({
      status: 'degraded',
      problems: expect.arrayContaining([expect.stringMatching(/^tls: TLS_CERT_FILE: CN=renewed ends on /)]),
    });
  });
});

test('a pair that does not fit refuses the start by name', async () => {
  const stranger = await authority.issue({ subject: 'CN=stranger' });
  const key = join(folder, 'stranger.key');
  writeFileSync(key, stranger.key);
  const options = { ...testSecrets, DATA_DIR: join(folder, 'data'), ...files, TLS_KEY_FILE: key };
  const failed: unknown = await startGatewayProcess('gateway', options).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(StartFailed);
  expect((failed as StartFailed).exitCode).toBe(1);
  expect((failed as StartFailed).output.join('\n')).toMatch(
    /TLS_CERT_FILE: the certificate in .* does not fit the key/,
  );
});
