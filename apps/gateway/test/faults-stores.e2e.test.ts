import { describe, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitFor } from '@portcullis/testkit/wait-for';
import { chat, chats, expectLoggedOnce, startOnRelays, type Seen } from './start-on-relays.ts';
import { setUpProxy } from './set-up-proxy.ts';

const statuses = (seen: readonly Seen[]) => seen.map(({ status }) => status);

/** No request waits for a store that is away: it comes back only when all have their answers. */
const slowest = (seen: readonly Seen[]) => Math.max(...seen.map(({ tookMs }) => tookMs));
const patienceMs = 30_000;

/** Of three tokens one comes back every twenty seconds. */
const refillMs = 20_000;
const settings = { rate_limit_refill: 'proportional' };

describe('while Redis is away', () => {
  test('limits go on in each process, no request waits, and the shared limits are back when it is', async () => {
    await using world = await startOnRelays();
    const proxy = await setUpProxy(world.gateway.admin, world.target.url, { rateLimit: 3, settings });
    const startedAt = performance.now();
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
    const refilled = Math.floor((performance.now() - startedAt) / refillMs);
    expect(served.length).toBeGreaterThanOrEqual(2);
    // Here and there.
    expect(served.length).toBeLessThanOrEqual(2 + 2 * refilled);
    await expectLoggedOnce(
      world.gateway,
      proxy,
      [...before, ...during, ...after].map(({ id }) => id),
    );
  });
});

describe('while the database and Redis are away', () => {
  test('known keys go on, also after a restart; no client is taken for a stranger, and everything arrives once', async () => {
    await using world = await startOnRelays();
    const { gateway, relays } = world;
    const proxy = await setUpProxy(gateway.admin, world.target.url, { rateLimit: 20, settings });
    const before = await chats(proxy, 'before', 2);
    // A change is in force a moment before it is kept on disk.
    const kept = () => readFile(join(gateway.dataDirectory, 'proxy-runtime-snapshot.json'), 'utf8');
    await waitFor(async () => (await kept()).includes('"desired_state":"running"'), { what: 'the copy on disk' });
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
