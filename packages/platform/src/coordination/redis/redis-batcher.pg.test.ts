import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startRedisServer } from '@portcullis/testkit/redis-server';
import { waitFor } from '@portcullis/testkit/wait-for';
import { Redis } from 'ioredis';
import { openTcpRelay } from '../../../test/tcp-relay.ts';
import { silentLog } from '../../../test/test-database.ts';
import { Secret } from '../../config/secret.ts';
import type { Coordination } from '../coordination.ts';
import { openRedisCoordination } from './redis-coordination.ts';

/** Our own server: no other client shall be counted, or stopped with it. */
let server: Awaited<ReturnType<typeof startRedisServer>>;
let admin: Redis;
let coordination: Coordination;
beforeAll(async () => {
  server = await startRedisServer();
  admin = new Redis(server.url);
  coordination = await open(60_000);
});
afterAll(async () => {
  await coordination[Symbol.asyncDispose]();
  admin.disconnect();
  await server[Symbol.asyncDispose]();
});

async function open(answerTimeoutMs: number, address = server.url): Promise<Coordination> {
  const url = new Secret(address);
  const opened = await openRedisCoordination({ url, keyPrefix: '', log: silentLog, answerTimeoutMs });
  await waitFor(() => opened.check().then(() => true), { what: 'Redis' });
  return opened;
}

const rule = { capacity: 1_000, refillPerSecond: 0.001 };
const claim = (key: string) => ({ key, limit: 100, atLeastSpent: 0 });

async function countScripts(): Promise<number> {
  const stats = await admin.info('commandstats');
  const counts = stats.matchAll(/cmdstat_eval(?:sha)?:calls=(\d+)/g);
  return [...counts].reduce((sum, [, calls]) => sum + Number(calls), 0);
}

test('what is asked in one turn is one command, answered as if each were asked alone', async () => {
  const before = await countScripts();
  const takes = Array.from({ length: 40 }, async () => coordination.buckets.take('many', rule));
  const reserves = Array.from({ length: 40 }, async () => coordination.accounts.reserve([claim('many')], 10));
  expect((await Promise.all(takes)).map(({ remaining }) => remaining)).toEqual(takes.map((_, at) => 999 - at));
  const answers = await Promise.all(reserves);
  expect(answers.map(({ balances }) => balances[0]?.held)).toEqual(answers.map((_, at) => Math.min(10 * at, 100)));
  expect(answers.filter(({ reservation }) => reservation !== undefined)).toHaveLength(10);
  expect((await countScripts()) - before).toBe(1);
});

test('more than Redis may be kept busy with are several commands', async () => {
  const before = await countScripts();
  const takes = Array.from({ length: 250 }, async () => coordination.buckets.take('crowd', rule));
  expect((await Promise.all(takes)).at(-1)).toEqual({ allowed: true, remaining: 750, retryAfterMs: 0 });
  expect((await countScripts()) - before).toBe(3);
});

test('a question that fails fails alone', async () => {
  await admin.lpush('bucket:broken', 'no bucket');
  const [before, broken, after] = await Promise.allSettled([
    coordination.accounts.reserve([claim('sound')], 10),
    coordination.buckets.take('broken', rule),
    coordination.accounts.reserve([claim('sound')], 10),
  ]);
  expect(broken).toMatchObject({ reason: { message: expect.stringContaining('Redis refuses: WRONGTYPE') } });
  expect(before).toMatchObject({ value: { balances: [{ spent: 0, held: 0 }] } });
  expect(after).toMatchObject({ value: { balances: [{ spent: 0, held: 10 }] } });
});

test('a round that is late once is one late answer, and Redis is asked again', async () => {
  await using relay = await openTcpRelay('127.0.0.1', Number(new URL(server.url).port));
  await using far = await open(1_000, `redis://127.0.0.1:${relay.port}`);
  const take = async () => far.buckets.take('far', rule);
  await take();
  relay.slow(500);
  const late = await Promise.all(Array.from({ length: 10 }, take));
  await relay.restore();
  expect([late.at(-1)?.remaining, (await take()).remaining]).toEqual([989, 988]);
});

test('what is held when no client waits for it any more is given back', async () => {
  await using impatient = await open(500);
  server.freeze();
  await expect(impatient.accounts.reserve([claim('late')], 10)).rejects.toThrow('did not answer within 500 ms');
  server.thaw();
  // In whichever slot it was held.
  const isGivenBack = async () => {
    const { spent: _, ...held } = await admin.hgetall('{account}:late');
    return Object.values(held).join() === '0';
  };
  await waitFor(isGivenBack, { what: 'the hold to be given back' });
});
