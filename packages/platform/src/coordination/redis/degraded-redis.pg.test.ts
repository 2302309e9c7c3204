import { expect, test } from '@jest/globals';
import { startRedisServer } from '@portcullis/testkit/redis-server';
import { waitFor } from '@portcullis/testkit/wait-for';
import { Redis } from 'ioredis';
import { createKeptLog } from '../../../test/kept-log.ts';
import { Secret } from '../../config/secret.ts';
import { openRedisCoordination } from './redis-coordination.ts';

const rule = { capacity: 1_000, refillPerSecond: 0.001 };

test.each([
  ['whose memory is full', ['config', 'set', 'maxmemory', '1'], ['config', 'set', 'maxmemory', '0'], 'OOM'],
  ['that became a replica', ['replicaof', '127.0.0.1', '1'], ['replicaof', 'no', 'one'], 'READONLY'],
  [
    'whose user may run no scripts',
    ['acl', 'setuser', 'default', '-eval', '-evalsha'],
    ['acl', 'setuser', 'default', '+eval', '+evalsha'],
    'NOPERM',
  ],
] as const)('a Redis %s is told, and used when it counts again', async (_what, breaks, mends, word) => {
  await using server = await startRedisServer();
  const admin = new Redis(server.url).on('error', () => undefined);
  await waitFor(() => admin.ping().then(() => true), { what: 'the server' });
  const { log, lines } = createKeptLog();
  await using coordination = await openRedisCoordination({ url: new Secret(server.url), log, keyPrefix: 'test:' });
  await waitFor(() => coordination.check().then(() => true), { what: 'Redis' });
  expect(coordination.problem()).toBeUndefined();
  const run = ([name, ...words]: readonly string[]) => admin.call(name ?? '', ...words);
  await run(breaks);
  for (let times = 0; times < 3; times += 1)
    await expect(Promise.resolve(coordination.buckets.take('a', rule))).rejects.toThrow(word);
  await expect(coordination.check()).rejects.toThrow(word);
  expect(coordination.problem()).toContain(word);
  await run(mends);
  await waitFor(() => coordination.check().then(() => true), { what: 'Redis to count' });
  expect(coordination.problem()).toBeUndefined();
  await waitFor(() => lines.length >= 2, { what: 'the lines' });
  expect(lines).toMatchObject([
    { level: 'warn', message: expect.stringContaining('refuses to count'), problem: expect.stringContaining(word) },
    { level: 'info', message: 'Redis counts again' },
  ]);
  admin.disconnect();
});

test('a Redis in cluster mode is refused at the start, with the reason', async () => {
  await using server = await startRedisServer(['--cluster-enabled', 'yes']);
  const admin = new Redis(server.url).on('error', () => undefined);
  await waitFor(() => admin.ping().then(() => true), { what: 'Redis' });
  const { log } = createKeptLog();
  const opening = openRedisCoordination({ url: new Secret(server.url), log, keyPrefix: 'test:' });
  await expect(opening).rejects.toThrow('Redis in cluster mode');
  admin.disconnect();
});
