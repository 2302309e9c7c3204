import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { waitFor } from '@portcullis/testkit/wait-for';
import { Redis } from 'ioredis';
import { createLogger } from 'winston';
import { openTcpRelay } from '../../test/tcp-relay.ts';
import { Secret } from '../config/secret.ts';
import { describeCoordination } from './coordination.contract.ts';
import type { Coordination } from './coordination.ts';
import { openRedisCoordination } from './redis/redis-coordination.ts';

const url = process.env['TEST_REDIS_URL'] ?? '';
if (url === '') throw new Error('TEST_REDIS_URL must name a Redis server');
const log = createLogger({ silent: true });

const prefixes: string[] = [];
function newPrefix(): string {
  const prefix = `test-${randomUUID()}:`;
  prefixes.push(prefix);
  return prefix;
}

const admin = new Redis(url);
afterAll(async () => {
  for (const prefix of prefixes) {
    const keys = await admin.keys(`${prefix}*`);
    if (keys.length > 0) await admin.del(...keys);
  }
  admin.disconnect();
});

describeCoordination('over Redis', async () => {
  const keyPrefix = newPrefix();
  return {
    open: (options) =>
      openRedisCoordination({ ...options, url: new Secret(url), log, keyPrefix, answerTimeoutMs: 60_000 }),
    plan: { redis: { url, keyPrefix, stalledAfterMs: 400 } },
    async [Symbol.asyncDispose]() {},
  };
});

test('installations in two databases of one Redis hear nothing of each other', async () => {
  const keyPrefix = newPrefix();
  const open = (database: number) =>
    openRedisCoordination({ url: new Secret(new URL(`/${database}`, url).href), log, keyPrefix });
  await using here = await open(1);
  await using there = await open(2);
  const heard: string[] = [];
  await here.bus.subscribe('talk', (message) => heard.push(`here: ${String(message)}`));
  await there.bus.subscribe('talk', (message) => heard.push(`there: ${String(message)}`));
  for (const text of ['first', 'second']) await there.bus.publish('talk', text);
  await here.bus.publish('talk', 'hello');
  await waitFor(() => heard.length >= 3, { what: 'each to hear itself' });
  expect(heard.toSorted()).toEqual(['here: hello', 'there: first', 'there: second']);
});

test('a login waits for a Redis that is late, as no request would', async () => {
  const { hostname, port } = new URL(url);
  await using relay = await openTcpRelay(hostname, Number(port));
  const address = new Secret(`redis://127.0.0.1:${relay.port}`);
  await using far = await openRedisCoordination({ url: address, log, keyPrefix: newPrefix() });
  const rule = { freeAttempts: 10, firstDelayMs: 1, maxDelayMs: 1, forgetAfterMs: 60_000 };
  const attempt = () => far.attempts.begin('late', rule);
  await waitFor(attempt, { what: 'Redis' });
  relay.slow(500);
  expect(await attempt()).toEqual({ allowed: true, retryAfterMs: 0 });
});

/** For longer than a caller waits and a silent connection is kept, one after the other. */
function beBusy(): void {
  const busyUntil = performance.now() + 1_500;
  while (performance.now() < busyUntil);
}

describe('two processes on one Redis', () => {
  const keyPrefix = newPrefix();
  const open = () => openRedisCoordination({ url: new Secret(url), log, keyPrefix });
  let one: Coordination;
  let two: Coordination;
  beforeAll(async () => {
    [one, two] = await Promise.all([open(), open()]);
  });
  afterAll(async () => {
    await Promise.all([one[Symbol.asyncDispose](), two[Symbol.asyncDispose]()]);
  });

  test('empty the same bucket', async () => {
    const rule = { capacity: 10, refillPerSecond: 0.001 };
    const takes = Array.from({ length: 40 }, async (_, n) => (n % 2 === 0 ? one : two).buckets.take('shared', rule));
    expect((await Promise.all(takes)).filter(({ allowed }) => allowed)).toHaveLength(10);
  });

  test('take an answer that came while they were too busy to read it in time', async () => {
    const rule = { capacity: 10, refillPerSecond: 0.001 };
    await one.buckets.take('busy', rule);
    const unsent = one.buckets.take('busy', rule);
    beBusy();
    await expect(unsent).resolves.toMatchObject({ allowed: true });
    const sent = one.buckets.take('busy', rule);
    await new Promise(setImmediate);
    beBusy();
    await expect(sent).resolves.toMatchObject({ allowed: true });
  });

  test('hold what they asked for before they were too busy to ask, and after they were too busy to hear the time', async () => {
    const claims = [{ key: `busy-${randomUUID()}`, limit: 100, atLeastSpent: 0 }];
    await one.accounts.share();
    const unsent = one.accounts.reserve(claims, 10);
    beBusy();
    await expect(unsent).resolves.toMatchObject({ reservation: { amount: 10 } });
    const sharing = one.accounts.share();
    await new Promise(setImmediate);
    beBusy();
    await sharing;
    await expect(one.accounts.reserve(claims, 10)).resolves.toMatchObject({ reservation: { amount: 10 } });
  });

  test('hear each other, and themselves', async () => {
    const heard: string[] = [];
    const ends = [
      await one.bus.subscribe('talk', (message) => heard.push(`one: ${String(message)}`)),
      await two.bus.subscribe('talk', (message) => heard.push(`two: ${String(message)}`)),
    ];
    await one.bus.publish('talk', 'hello');
    await waitFor(() => heard.length === 2, { what: 'both to hear' });
    expect(heard.toSorted()).toEqual(['one: hello', 'two: hello']);
    for (const end of ends) await end();
  });

  test('exclude each other by leases', async () => {
    const lease = await one.leases.acquire('sweep', 60_000);
    expect(await two.leases.acquire('sweep', 60_000)).toBeUndefined();
    await lease?.release();
    expect(await two.leases.acquire('sweep', 60_000)).toBeDefined();
  });

  test('accept a job once and share the work', async () => {
    const given: string[] = [];
    const retry = { attempts: 1, backoffMs: 1 };
    await Promise.all(
      [one, two].flatMap((each) => ['a', 'b', 'c'].map((id) => each.queue('work').add(id, null, retry))),
    );
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    for (const each of [one, two]) {
      each.queue('work').process(async ({ id }) => {
        given.push(id);
        await held;
      }, 1);
    }
    await waitFor(() => given.length === 2, { what: 'each to have a job in hand' });
    release();
    await waitFor(() => given.length === 3, { what: 'the third job' });
    expect(given.toSorted()).toEqual(['a', 'b', 'c']);
  });

  test('keep everything under the prefix, and buckets only until they are full again', async () => {
    await one.buckets.take('expires', { capacity: 5, refillPerSecond: 0.01 });
    const expiresInMs = await admin.pttl(`${keyPrefix}bucket:expires`);
    expect(expiresInMs).toBeGreaterThan(0);
    expect(expiresInMs).toBeLessThanOrEqual(101_000);
    const kinds = (await admin.keys(`${keyPrefix}*`)).map((key) => key.slice(keyPrefix.length).split(':')[0] ?? '');
    expect([...new Set(kinds)].toSorted()).toEqual(['bucket', 'lease', 'queue', 'sharers', '{account}']);
  });
});
