import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { createTestDatabase } from '@portcullis/platform/test/test-database';
import { openTcpRelay } from '@portcullis/platform/test/tcp-relay';
import { findFreePort } from '@portcullis/testkit/free-port';
import { startGatewayProcess, StartFailed } from '@portcullis/testkit/gateway-process';
import { startLlmPeer } from '@portcullis/testkit/llm-peer';
import { startTestGateway } from '@portcullis/testkit/test-gateway';
import { waitFor } from '@portcullis/testkit/wait-for';
import { setUpProxy, type ReadyProxy } from './set-up-proxy.ts';
import { startGateway } from './start-gateway.ts';

const chat = (proxy: ReadyProxy, id: string) =>
  fetch(`${proxy.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': proxy.key, 'x-request-id': id },
    body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hello' }] }),
  });

const health = async (url: string) => {
  const response = await fetch(`${url}/api/v1/health`);
  const body = (await response.json()) as { data?: { status: string; problems?: string[] }; success: boolean };
  return { status: response.status, body };
};

describe('one process', () => {
  test('drains on SIGTERM and ends with 0, finds everything again, and keeps a second gateway off its folder', async () => {
    await using target = await startLlmPeer({ delayMs: 300 });
    await using first = await startGateway('one process');
    const proxy = await setUpProxy(first.admin, target.url);

    const second = await startGatewayProcess('gateway', { DATA_DIR: first.dataDirectory }).catch(
      (error: unknown) => error,
    );
    expect(second).toBeInstanceOf(StartFailed);
    expect(second).toMatchObject({ exitCode: 1 });
    expect(String(second)).toContain(first.dataDirectory);

    const inFlight = chat(proxy, 'in-flight-1');
    await waitFor(() => target.requests.length > 0, { what: 'the request to be under way' });
    const [code] = await first.stop('SIGTERM');
    expect(code).toBe(0);
    expect((await inFlight).status).toBe(200);

    await using again = await startTestGateway({ kind: 'one process' }, {}, first.dataDirectory);
    expect(await again.admin.expect('GET', `/proxies/${proxy.id}`)).toMatchObject({ port: proxy.port });
    await waitFor(async () => (await chat(proxy, 'after-restart')).status === 200, { what: 'the proxy to run again' });
    const logged = async () => {
      const logs = await again.admin.expect<{ request_id: string }[]>('GET', `/proxies/${proxy.id}/logs`);
      return logs.some((log) => log.request_id === 'in-flight-1');
    };
    await waitFor(logged, { what: 'the record of the request that was under way' });
  });

  test('names every problem of its environment at once and ends with 1', async () => {
    const failed = await startGatewayProcess('gateway', {
      PORT: '99999',
      ENCRYPTION_KEY: 'short',
      DATABASE_URL: 'mysql://nobody:hidden@x/y',
      LOG_LEVEL: 'loud',
    }).catch((error: unknown) => error);
    expect(failed).toMatchObject({ exitCode: 1 });
    for (const name of ['PORT', 'ENCRYPTION_KEY', 'DATABASE_URL', 'LOG_LEVEL']) expect(String(failed)).toContain(name);
    expect(String(failed)).not.toContain('hidden');
  });

  test('goes on when the disk under the spool is full, says so, and loses nothing', async () => {
    await using target = await startLlmPeer();
    await using gateway = await startGateway('one process');
    const proxy = await setUpProxy(gateway.admin, target.url);
    expect((await health(gateway.url)).body.data?.status).toBe('healthy');

    const folder = join(gateway.dataDirectory, 'spool/proxy-runtime');
    await fillDisk(folder);
    expect((await chat(proxy, 'disk-full-1')).status).toBe(200);
    const degraded = await waitFor(
      async () => {
        const now = await health(gateway.url);
        return now.body.data?.problems?.join().includes('spool') === true ? now : undefined;
      },
      { what: 'health to tell of the spool' },
    );
    expect([degraded.status, degraded.body.data?.status]).toEqual([200, 'degraded']);
    await waitFor(
      async () => {
        const logs = await gateway.admin.expect<{ request_id: string }[]>('GET', `/proxies/${proxy.id}/logs`);
        return logs.some((log) => log.request_id === 'disk-full-1');
      },
      { what: 'the log entry that never was on disk' },
    );

    await clearDisk(folder);
    await waitFor(async () => (await health(gateway.url)).body.data?.status === 'healthy', {
      what: 'health to recover',
    });
  });
});

test('the circuit of a target that is down opens, its proxy says so, other proxies go on, and it is used again when it is back', async () => {
  const port = await findFreePort();
  await using gateway = await startGateway('one process', { TARGET_BREAKER_COOLDOWN: '1s' });
  await using other = await startLlmPeer();
  const down = await setUpProxy(gateway.admin, `http://127.0.0.1:${port}`);
  const well = await setUpProxy(gateway.admin, other.url);
  const status = () =>
    gateway.admin.expect<{ circuit: string; target_problem: string | null }>('GET', `/proxies/${down.id}/status`);

  let sent = 0;
  const fail = async () => {
    const response = await chat(down, `target-down-${(sent += 1)}`);
    expect(response.status).toBe(502);
    return response.headers.get('retry-after');
  };
  for (let times = 0; times < 5; times += 1) await fail();
  await waitFor(fail, { what: 'a request for which the target is not asked' });
  expect((await chat(well, 'target-up-1')).status).toBe(200);
  const problem = expect.stringContaining('ECONNREFUSED') as unknown;
  const told = await waitFor(
    async () => {
      const now = await status();
      return now.circuit === 'closed' ? undefined : now;
    },
    { what: 'the status to tell' },
  );
  expect(told).toMatchObject({ state: 'running', target_problem: problem });
  const logs = await waitFor(
    async () => {
      const all = await gateway.admin.expect<{ denied_reason: string }[]>('GET', `/proxies/${down.id}/logs?limit=1000`);
      return all.length === sent ? all : undefined;
    },
    { what: 'the logs' },
  );
  expect(logs.at(-1)).toMatchObject({ denied_reason: 'target_unreachable', target_problem: problem });
  expect(logs.filter(({ denied_reason: reason }) => reason === 'circuit_open').length).toBeGreaterThan(0);

  await using _back = await startLlmPeer({ port });
  await waitFor(async () => (await chat(down, 'target-back-1')).status === 200, {
    what: 'the target to be used again',
  });
  await waitFor(async () => (await status()).target_problem === null, { what: 'the status to tell that too' });
});

const segments = Array.from({ length: 50 }, (_, index) => `${String(index + 1).padStart(12, '0')}.jsonl`);

/** Every write to /dev/full fails as on a full disk; the spool opens its next segments there. */
const fillDisk = (folder: string) => Promise.all(segments.map((name) => symlink('/dev/full', join(folder, name))));

const clearDisk = (folder: string) => Promise.all(segments.map((name) => rm(join(folder, name), { force: true })));

describe('services', () => {
  test('traffic goes on while the database is away, management says 503, and everything arrives when it is back', async () => {
    await using database = await createTestDatabase('server');
    const address = new URL(database.url?.reveal() ?? '');
    await using relay = await openTcpRelay(address.hostname, Number(address.port));
    address.port = String(relay.port);
    await using target = await startLlmPeer();
    await using gateway = await startGateway('services', { DATABASE_URL: address.href });
    const proxy = await setUpProxy(gateway.admin, target.url);
    expect((await chat(proxy, 'before-outage')).status).toBe(200);

    await relay.cut();
    for (const number of [1, 2, 3]) expect((await chat(proxy, `during-outage-${number}`)).status).toBe(200);
    expect((await gateway.admin.call('GET', '/proxies')).status).toBe(503);
    expect((await health(gateway.url)).status).toBe(500);

    await relay.restore();
    await waitFor(
      async () => {
        const logs = await gateway.admin.expect<{ request_id: string }[]>('GET', `/proxies/${proxy.id}/logs`);
        return [1, 2, 3].every((number) => logs.some((log) => log.request_id === `during-outage-${number}`));
      },
      { what: 'the records of the outage' },
    );
    await waitFor(async () => (await health(gateway.url)).body.data?.status === 'healthy', {
      what: 'health to recover',
    });
  });
});
