import { describe, expect, test } from '@jest/globals';
import { createEmptyDatabase } from '@portcullis/platform/test/test-database';
import { openTcpRelay } from '@portcullis/platform/test/tcp-relay';
import { startLlmPeer } from '@portcullis/testkit/llm-peer';
import { startTestGateway, type TestGateway } from '@portcullis/testkit/test-gateway';
import { waitFor } from '@portcullis/testkit/wait-for';
import { setUpProxy, type ReadyProxy } from './set-up-proxy.ts';
import { clearRedis } from './start-gateway.ts';

/** Services on a database and a Redis that can be taken away. */
async function startOnRelays() {
  const resources = new AsyncDisposableStack();
  const database = resources.use(await createEmptyDatabase('server'));
  const [databaseUrl, redisUrl] = [new URL(database.url?.reveal() ?? ''), new URL(await clearRedis())];
  const relayTo = async (url: URL) => {
    const relay = resources.use(await openTcpRelay(url.hostname, Number(url.port)));
    url.hostname = '127.0.0.1';
    url.port = String(relay.port);
    return relay;
  };
  const relays = { database: await relayTo(databaseUrl), redis: await relayTo(redisUrl) };
  const target = resources.use(await startLlmPeer());
  const gateway = resources.use(
    await startTestGateway({ kind: 'services', databaseUrl: databaseUrl.href, redisUrl: redisUrl.href }),
  );
  return { gateway, target, relays, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

interface Seen {
  readonly id: string;
  readonly status: number;
  readonly tookMs: number;
  /** What the answer says of the limit. */
  readonly limit: string | null;
}

const chat = async (proxy: ReadyProxy, id: string, key = proxy.key): Promise<Seen> => {
  const startedAt = performance.now();
  const response = await fetch(`${proxy.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key, 'x-request-id': id },
    body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hello' }] }),
  });
  await response.arrayBuffer();
  const limit = response.headers.get('x-ratelimit-limit');
  return { id, status: response.status, tookMs: performance.now() - startedAt, limit };
};

const chats = async (proxy: ReadyProxy, name: string, count: number): Promise<Seen[]> => {
  const seen: Seen[] = [];
  for (let number = 1; number <= count; number += 1) seen.push(await chat(proxy, `${name}-${number}`));
  return seen;
};

const statuses = (seen: readonly Seen[]) => seen.map(({ status }) => status);

/** Nobody waits for a store that is away: at most once, and never long. */
const slowest = (seen: readonly Seen[]) => Math.max(...seen.map(({ tookMs }) => tookMs));
const patienceMs = 3_000;

/** Each id has one entry in the log, and there are no others. */
async function expectLoggedOnce(gateway: TestGateway, proxy: ReadyProxy, ids: readonly string[]): Promise<void> {
  const listed = async () => {
    const logs = await gateway.admin.expect<{ request_id: string }[]>('GET', `/proxies/${proxy.id}/logs?limit=1000`);
    return logs.map(({ request_id: id }) => id);
  };
  const found = await waitFor(
    async () => {
      const all = await listed();
      return ids.every((id) => all.includes(id)) ? all : undefined;
    },
    { what: 'the records of the outage' },
  );
  expect(found.toSorted()).toEqual(ids.toSorted());
}

/** Of three tokens one comes back every twenty seconds. */
const settings = { rate_limit_refill: 'proportional' };

describe('while Redis is away', () => {
  test('limits go on in each process, nobody waits, and the shared limits are back when it is', async () => {
    await using world = await startOnRelays();
    const proxy = await setUpProxy(world.gateway.admin, world.target.url, { rateLimit: 3, settings });
    const before = await chats(proxy, 'before', 1);
    await world.relays.redis.cut();
    const during = await chats(proxy, 'during', 4);
    expect(statuses([...before, ...during])).toEqual([200, 200, 200, 200, 429]);
    expect(during.at(-1)?.limit).toBeNull();
    expect(slowest(during)).toBeLessThan(patienceMs);

    await world.relays.redis.restore();
    const after: Seen[] = [];
    await waitFor(
      async () => {
        after.push(await chat(proxy, `afterwards-${after.length}`));
        return after.at(-1)?.limit === '3';
      },
      { what: 'the shared bucket to be empty', intervalMs: 50 },
    );
    // One of the three was taken before the outage: the shared bucket knows.
    const served = after.filter(({ status }) => status === 200);
    expect([2, 3]).toContain(served.length);
    await expectLoggedOnce(
      world.gateway,
      proxy,
      [...before, ...during, ...after].map(({ id }) => id),
    );
  });
});

describe('while the database and Redis are away', () => {
  test('known keys go on, also after a restart; nobody is taken for a stranger, and everything arrives once', async () => {
    await using world = await startOnRelays();
    const { gateway, relays } = world;
    const proxy = await setUpProxy(gateway.admin, world.target.url, { rateLimit: 20, settings });
    const before = await chats(proxy, 'before', 2);
    await Promise.all([relays.database.cut(), relays.redis.cut()]);
    const during = await chats(proxy, 'during', 3);
    expect(statuses(during)).toEqual([200, 200, 200]);
    expect(slowest(during)).toBeLessThan(patienceMs);
    expect((await chat(proxy, 'stranger', 'gw_nobody')).status).toBe(401);

    await gateway.runtime.stop('SIGKILL');
    await gateway.startRuntime();
    const restarted = await waitFor(() => chats(proxy, 'restarted', 3), { what: 'the proxy to be open again' });
    expect(statuses(restarted)).toEqual([200, 200, 200]);
    expect(slowest(restarted)).toBeLessThan(patienceMs);

    await Promise.all([relays.database.restore(), relays.redis.restore()]);
    const ids = [...before, ...during, ...restarted].map(({ id }) => id);
    await expectLoggedOnce(gateway, proxy, [...ids, 'stranger']);
  });
});
