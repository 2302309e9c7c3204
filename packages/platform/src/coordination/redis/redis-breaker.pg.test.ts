import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { waitFor } from '@portcullis/testkit/wait-for';
import { Redis } from 'ioredis';
import { openTcpRelay, type TcpRelay } from '../../../test/tcp-relay.ts';
import { failFast } from './connect-redis.ts';
import { RedisBreaker } from './redis-breaker.ts';
import { withTimeout } from './with-timeout.ts';

const url = new URL(process.env['TEST_REDIS_URL'] ?? '');
const key = `test-${randomUUID()}`;
let relay: TcpRelay;
let client: Redis;
beforeEach(async () => {
  relay = await openTcpRelay(url.hostname, Number(url.port));
  client = new Redis(relay.port, '127.0.0.1', failFast);
  client.on('error', () => undefined);
  await waitFor(() => client.status === 'ready', { what: 'Redis' });
});
afterEach(async () => {
  client.disconnect();
  await relay[Symbol.asyncDispose]();
});

/** Asks a thing of Redis as long as it is asked at all; answers how often it was. */
function start(timeoutMs: number) {
  const breaker = new RedisBreaker(client, timeoutMs);
  let asked = 0;
  const ask = () =>
    breaker
      .ask((tell) => {
        asked += 1;
        return withTimeout(client, timeoutMs, () => client.get(key), tell);
      })
      .then(
        () => 'answered',
        () => 'refused',
      );
  return { ask, asked: () => asked };
}

test('a Redis that is slow holds up three requests in a row and no more, and is asked again when it is quick', async () => {
  const { ask, asked } = start(2_000);
  expect([await ask(), await ask()]).toEqual(['answered', 'answered']);
  relay.slow(1_500);
  expect([await ask(), await ask(), await ask()]).toEqual(['answered', 'answered', 'answered']);
  const outcomes = await Promise.all(Array.from({ length: 200 }, ask));
  expect(new Set(outcomes)).toEqual(new Set(['refused']));
  expect(asked()).toBe(5);

  await relay.restore();
  await waitFor(async () => (await ask()) === 'answered', { what: 'Redis to be asked again', intervalMs: 50 });
});

test('the same of one that hangs', async () => {
  const { ask, asked } = start(100);
  relay.slow(Number.POSITIVE_INFINITY);
  expect([await ask(), await ask(), await ask()]).toEqual(['refused', 'refused', 'refused']);
  await Promise.all(Array.from({ length: 50 }, ask));
  expect(asked()).toBe(3);
});
