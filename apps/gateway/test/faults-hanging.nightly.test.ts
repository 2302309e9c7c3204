import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { startLlmPeer } from '@portcullis/testkit/llm-peer';
import { waitFor } from '@portcullis/testkit/wait-for';
import { chat, chats, expectLoggedOnce, startOnRelays, type Seen } from './start-on-relays.ts';
import { setUpProxy } from './set-up-proxy.ts';
import { startGateway } from './start-gateway.ts';

/** Nothing answers as long as a store hangs, and no call of one is given up before this. */
const patience = { DB_QUERY_TIMEOUT: '10m' };
const patienceMs = 600_000;

const requests = 60;
const served = Array.from({ length: requests }, () => 200);
const statuses = (seen: readonly Seen[]) => seen.map(({ status }) => status);
const idsOf = (...phases: readonly (readonly Seen[])[]) => phases.flat().map(({ id }) => id);

describe('stores that hang: they take connections and questions, and answer nothing', () => {
  test('the database: no request asks it, and what was recorded arrives once', async () => {
    await using world = await startOnRelays(patience);
    const proxy = await setUpProxy(world.gateway.admin, world.target.url, { rateLimit: 1_000 });
    const before = await chats(proxy, 'before', 5);
    world.relays.database.slow(Number.POSITIVE_INFINITY);
    const startedAt = performance.now();
    const during = await chats(proxy, 'during', requests);
    // One that asked would still be waiting.
    expect(performance.now() - startedAt).toBeLessThan(patienceMs);
    expect(statuses(during)).toEqual(served);
    expect((await chat(proxy, 'stranger-1', 'gw_nobody')).status).toBe(401);

    await world.relays.database.restore();
    await expectLoggedOnce(world.gateway, proxy, [...idsOf(before, during), 'stranger-1']);
  });

  test('Redis: a few requests wait for the limit, the others do not ask', async () => {
    await using world = await startOnRelays();
    const proxy = await setUpProxy(world.gateway.admin, world.target.url, { rateLimit: 1_000 });
    const before = await chats(proxy, 'before', 5);
    expect(before.map(({ limit }) => limit)).toEqual([null, null, null, null, null]);
    world.relays.redis.slow(Number.POSITIVE_INFINITY);
    const during = await chats(proxy, 'during', requests);
    expect(statuses(during)).toEqual(served);
    expect((await chat(proxy, 'stranger-1', 'gw_nobody')).status).toBe(401);

    await world.relays.redis.restore();
    await expectLoggedOnce(world.gateway, proxy, [...idsOf(before, during), 'stranger-1']);
  });

  test('both: known keys go on, no client is taken for a stranger, and everything arrives once', async () => {
    await using world = await startOnRelays(patience);
    const proxy = await setUpProxy(world.gateway.admin, world.target.url, { rateLimit: 1_000 });
    const before = await chats(proxy, 'before', 5);
    for (const relay of Object.values(world.relays)) relay.slow(Number.POSITIVE_INFINITY);
    const during = await chats(proxy, 'during', requests);
    expect(statuses(during)).toEqual(served);

    for (const relay of Object.values(world.relays)) await relay.restore();
    await expectLoggedOnce(world.gateway, proxy, idsOf(before, during));
  });
});

const segments = Array.from({ length: 50 }, (_, index) => `${String(index + 1).padStart(12, '0')}.jsonl`);

/** Every write to /dev/full fails as on a full disk; a spool opens its next segments there. */
const fillDisk = (folder: string) => Promise.all(segments.map((name) => symlink('/dev/full', join(folder, name))));
const clearDisk = (folder: string) => Promise.all(segments.map((name) => rm(join(folder, name), { force: true })));

const healthOf = async (url: string): Promise<string> => (await fetch(`${url}/api/v1/health`)).text();

describe.each([
  ['a runtime of its own', {}, ['proxy-runtime']],
  ['each worker of a runtime', { RUNTIME_WORKERS: '2' }, ['proxy-runtime-1', 'proxy-runtime-2']],
])('a full disk under the spool of %s', (_what, options, names) => {
  test('refuses no client, is told, and costs no record', async () => {
    await using target = await startLlmPeer();
    await using gateway = await startGateway('services', options);
    const proxy = await setUpProxy(gateway.admin, target.url);
    // Before the first record, or its segment would be open already.
    const folders = names.map((name) => join(gateway.dataDirectory, 'spool', name));
    await Promise.all(folders.map(fillDisk));
    // Connections of their own go to the workers in turn.
    const during = await Promise.all(Array.from({ length: 12 }, (_, index) => chat(proxy, `during-${index}`)));
    expect(new Set(statuses(during))).toEqual(new Set([200]));
    await waitFor(async () => (await healthOf(gateway.url)).includes('spool'), { what: 'health to tell' });
    await expectLoggedOnce(gateway, proxy, idsOf(during));

    await Promise.all(folders.map(clearDisk));
    await waitFor(async () => !(await healthOf(gateway.url)).includes('spool'), { what: 'health to recover' });
    const after = await chats(proxy, 'afterwards', 4);
    await expectLoggedOnce(gateway, proxy, idsOf(during, after));
  });
});

test('a target that hangs holds up only those who asked it, and each of those has one record', async () => {
  await using hanging = await startLlmPeer({ fault: { kind: 'hang' } });
  await using target = await startLlmPeer();
  await using gateway = await startGateway('one process', { TARGET_FAILURES: '0' });
  const settings = { target_headers_timeout_ms: 60_000 };
  const stuck = await setUpProxy(gateway.admin, hanging.url, { settings });
  const well = await setUpProxy(gateway.admin, target.url);
  const waiting = Array.from({ length: 100 }, (_, index) => chat(stuck, `waiting-${index}`));
  await waitFor(() => hanging.requests.length === 100, { what: 'all of them to wait' });

  expect(statuses(await chats(well, 'meanwhile', requests))).toEqual(served);
  expect(hanging.requests.filter(({ outcome }) => outcome !== 'open')).toEqual([]);

  await hanging.down();
  const ended = await Promise.all(waiting);
  expect(new Set(statuses(ended))).toEqual(new Set([502]));
  await expectLoggedOnce(gateway, stuck, idsOf(ended));
});
