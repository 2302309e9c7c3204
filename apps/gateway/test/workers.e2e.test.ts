import { readFile } from 'node:fs/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestDatabase } from '@portcullis/platform/test/test-database';
import { startGatewayProcess } from '@portcullis/testkit/gateway-process';
import { startLlmPeer } from '@portcullis/testkit/llm-peer';
import { startTestGateway, testSecrets, type TestGateway } from '@portcullis/testkit/test-gateway';
import { waitFor } from '@portcullis/testkit/wait-for';
import { setUpProxy, type ReadyProxy } from './set-up-proxy.ts';
import { clearRedis, startGateway } from './start-gateway.ts';

/** One request on a connection of its own, so that the workers get them in turn. */
const chat = ({ key, port }: ReadyProxy, host = '127.0.0.1', id = '') =>
  new Promise<number>((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'x-api-key': key, 'x-request-id': id };
    const sent = request({ host, port, method: 'POST', path: '/v1/chat/completions', headers, agent: false });
    sent.on('response', (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', reject);
    sent.end(JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hello' }] }));
  });

const chats = (count: number, send: (index: number) => Promise<number>) =>
  Promise.all(Array.from({ length: count }, (_, index) => send(index)));

const count = (statuses: readonly number[], status: number): number => statuses.filter((one) => one === status).length;

/** Processes that the runtime started. */
const workersOf = async ({ runtime }: TestGateway): Promise<number[]> => {
  const pid = String(runtime.child.pid);
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.trim().split(' ').filter(Boolean).map(Number);
};

const status = (gateway: TestGateway, { id }: ReadyProxy) =>
  gateway.admin.expect<{ state: string; runtimes: unknown; requests_processed: number }>(
    'GET',
    `/proxies/${id}/status`,
  );

/** Refills a token in half a minute: none comes back while a test sends. */
const slowRefill = { rate_limit_refill: 'proportional' };
const limit = 2;

describe('four workers', () => {
  const restS = 2;
  let gateway: TestGateway;
  beforeAll(async () => {
    const breaker = { TARGET_FAILURES: '4', TARGET_BREAKER_COOLDOWN: `${restS}s` };
    gateway = await startGateway('services', { RUNTIME_WORKERS: '4', ...breaker });
  });
  afterAll(async () => {
    await gateway?.[Symbol.asyncDispose]();
  });

  test('spend a budget together, and not a request more', async () => {
    // Each answer is as long as one is taken for before anything is known of the model: 500 tokens, half a dollar.
    await using target = await startLlmPeer({ reply: 'word'.repeat(500), delayMs: 1_000 });
    await gateway.admin.expect('PUT', '/system/settings', {
      pricing: { models: { 'gpt-4o-mini': { input: 0, output: 1_000 } } },
    });
    await gateway.admin.expect('PUT', '/budgets/organization', { monthly_budget: 5 });
    const proxy = await setUpProxy(gateway.admin, target.url);
    const statuses = await chats(80, () => chat(proxy));
    expect([count(statuses, 200), count(statuses, 402)]).toEqual([10, 70]);
    expect(target.requests).toHaveLength(10);
    await gateway.admin.expect('PUT', '/budgets/organization', { monthly_budget: 1_000_000 });
  });

  test('let exactly the rate limit pass', async () => {
    await using target = await startLlmPeer();
    const proxy = await setUpProxy(gateway.admin, target.url, { rateLimit: limit, settings: slowRefill });
    const statuses = await chats(80, () => chat(proxy));
    expect([count(statuses, 200), count(statuses, 429)]).toEqual([limit, 80 - limit]);
  });

  test('leave a target alone together, whichever of them it failed, and use it again together', async () => {
    await using target = await startLlmPeer({ fault: { kind: 'break-off' } });
    const proxy = await setUpProxy(gateway.admin, target.url);
    const startedAt = performance.now();
    // Of each of four workers on its own it would take four.
    for (let sent = 0; sent < 40; sent += 1) expect(await chat(proxy)).toBe(502);
    const rests = Math.floor((performance.now() - startedAt) / 1_000 / restS);
    // After a rest each of them may try it.
    expect(target.requests.length).toBeLessThan(12 + 4 * rests);
    target.behave({ fault: undefined });
    await waitFor(async () => (await chat(proxy)) === 200, { what: 'one of them to try again', intervalMs: 50 });
    await waitFor(async () => count(await chats(16, () => chat(proxy)), 200) === 16, { what: 'the others to hear' });
  });

  test('are one runtime: they share limits and places, count together, and one that dies is replaced', async () => {
    await using target = await startLlmPeer({ delayMs: 400 });
    const proxy = await setUpProxy(gateway.admin, target.url);
    const workers = await workersOf(gateway);
    expect(workers).toHaveLength(4);
    expect(await status(gateway, proxy)).toMatchObject({ state: 'running', runtimes: { live: 1, running: 1 } });

    await gateway.admin.expect('PUT', `/proxies/${proxy.id}`, { settings: { max_concurrent_requests: 3 } });
    await waitFor(async () => count(await chats(8, () => chat(proxy)), 503) === 5, {
      what: 'three of eight to be served at once',
    });
    await gateway.admin.expect('PUT', `/proxies/${proxy.id}`, { settings: { max_concurrent_requests: 0 } });
    await waitFor(async () => count(await chats(8, () => chat(proxy)), 200) === 8, { what: 'no limit any more' });

    const [victim] = workers;
    process.kill(Number(victim), 'SIGKILL');
    const statuses = await waitFor(
      async () => {
        const pids = await workersOf(gateway);
        return pids.length === 4 && !pids.includes(Number(victim)) ? chats(16, () => chat(proxy)) : undefined;
      },
      { what: 'another worker' },
    );
    expect(count(statuses, 200)).toBe(16);
    await waitFor(async () => (await status(gateway, proxy)).state === 'running', { what: 'all to run it again' });

    await gateway.admin.expect('POST', `/proxies/${proxy.id}/restart`);
    expect(count(await chats(8, () => chat(proxy)), 200)).toBe(8);
    await gateway.admin.expect('POST', `/proxies/${proxy.id}/stop`);
    await expect(chat(proxy)).rejects.toThrow('ECONNREFUSED');
    await gateway.admin.expect('POST', `/proxies/${proxy.id}/start`);

    const logged = async () =>
      (await gateway.admin.expect<unknown[]>('GET', `/proxies/${proxy.id}/logs?limit=1000`)).length;
    const total = await logged();
    await waitFor(async () => (await status(gateway, proxy)).requests_processed >= total - 16, {
      what: 'the counts of all workers, but for what the killed one had not told',
    });
  });

  test('lose nothing of what a client saw answered when all of them are killed', async () => {
    await using target = await startLlmPeer();
    const proxy = await setUpProxy(gateway.admin, target.url);
    const answered: string[] = [];
    const load = chats(400, async (index) => {
      const id = `killed-request-${index}`;
      const status = await chat(proxy, '127.0.0.1', id).catch(() => 0);
      if (status === 200) answered.push(id);
      return status;
    });
    await waitFor(() => answered.length >= 50, { what: 'some answers' });
    await gateway.runtime.stop('SIGKILL');
    await load;
    await gateway.startRuntime();
    const logged = await waitFor(
      async () => {
        const logs = await gateway.admin.expect<{ request_id: string }[]>(
          'GET',
          `/proxies/${proxy.id}/logs?limit=1000`,
        );
        const ids = logs.map(({ request_id: id }) => id);
        return answered.every((id) => ids.includes(id)) ? ids : undefined;
      },
      { what: 'a log entry of every answered request' },
    );
    expect(new Set(logged).size).toBe(logged.length);
    await waitFor(async () => (await chat(proxy)) === 200, { what: 'the workers to serve again' });
  });

  test('finish what is under way when they are told to end', async () => {
    await using target = await startLlmPeer({ delayMs: 400 });
    const proxy = await setUpProxy(gateway.admin, target.url);
    const inFlight = chats(8, () => chat(proxy));
    await waitFor(() => target.requests.length === 8, { what: 'requests to be under way' });
    const [code] = await gateway.stop('SIGTERM');
    expect(code).toBe(0);
    expect(count(await inFlight, 200)).toBe(8);
  });
});

test('four runtimes on one Redis let exactly the rate limit pass', async () => {
  await using target = await startLlmPeer();
  await using database = await createTestDatabase('server');
  const stores = { databaseUrl: database.url?.reveal() ?? '', redisUrl: await clearRedis() };
  await using gateway = await startTestGateway({ kind: 'services', ...stores });
  const hosts = ['127.0.0.2', '127.0.0.3', '127.0.0.4'];
  const folders = await Promise.all(hosts.map(() => mkdtemp(join(tmpdir(), 'portcullis-runtime-'))));
  const others = await Promise.all(
    hosts.map((HOST, index) =>
      startGatewayProcess('proxy-runtime', {
        ...testSecrets,
        HOST,
        DATA_DIR: folders[index] ?? '',
        DATABASE_URL: stores.databaseUrl,
        REDIS_URL: stores.redisUrl,
      }),
    ),
  );
  try {
    const proxy = await setUpProxy(gateway.admin, target.url, { rateLimit: limit, settings: slowRefill });
    expect(await status(gateway, proxy)).toMatchObject({ runtimes: { live: 4, running: 4 } });
    const all = ['127.0.0.1', ...hosts];
    const statuses = await chats(80, (index) => chat(proxy, all[index % 4]));
    expect([count(statuses, 200), count(statuses, 429)]).toEqual([limit, 80 - limit]);
  } finally {
    await Promise.all(others.map((other) => other.stop()));
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
  }
});

describe('the whole gateway as one process', () => {
  test('has workers for its proxies when the stores are servers', async () => {
    await using target = await startLlmPeer();
    await using database = await createTestDatabase('server');
    await using gateway = await startTestGateway(
      { kind: 'one process' },
      { RUNTIME_WORKERS: '2', DATABASE_URL: database.url?.reveal() ?? '', REDIS_URL: await clearRedis() },
    );
    const proxy = await setUpProxy(gateway.admin, target.url);
    expect(await workersOf(gateway)).toHaveLength(2);
    expect(await status(gateway, proxy)).toMatchObject({ state: 'running', runtimes: { live: 1, running: 1 } });
    expect(count(await chats(8, () => chat(proxy)), 200)).toBe(8);
  });

  test('refuses workers on its embedded stores', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'portcullis-refused-'));
    const failed = await startGatewayProcess('gateway', {
      ...testSecrets,
      DATA_DIR: folder,
      RUNTIME_WORKERS: '2',
    }).catch((error: unknown) => error);
    expect(failed).toMatchObject({ exitCode: 1 });
    expect(String(failed)).toContain('RUNTIME_WORKERS asks for 2 processes, which needs DATABASE_URL and REDIS_URL');
    await rm(folder, { recursive: true });
  });
});
