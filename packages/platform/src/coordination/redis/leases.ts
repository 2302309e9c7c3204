import { randomUUID } from 'node:crypto';
import type { Redis, Result } from 'ioredis';
import type { Leases } from '../coordination.ts';
import { withTimeout } from './with-timeout.ts';

const timeoutMs = 2_000;

/** Both act only for the holder, whose token is the key's value. */
const renewLeaseLua = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return 0`;
const releaseLeaseLua = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    renewLease(key: string, token: string, ttlMs: number): Result<number, Context>;
    releaseLease(key: string, token: string): Result<number, Context>;
  }
}

export function createRedisLeases(client: Redis, keyPrefix: string): Leases {
  client.defineCommand('renewLease', { numberOfKeys: 1, lua: renewLeaseLua });
  client.defineCommand('releaseLease', { numberOfKeys: 1, lua: releaseLeaseLua });

  return {
    async acquire(name, ttlMs) {
      const key = `${keyPrefix}lease:${name}`;
      const token = randomUUID();
      const answer = await withTimeout(client, timeoutMs, () => client.set(key, token, 'PX', ttlMs, 'NX'));
      if (answer !== 'OK') return undefined;

      return {
        renew: async () => (await withTimeout(client, timeoutMs, () => client.renewLease(key, token, ttlMs))) === 1,
        release: async () => {
          await withTimeout(client, timeoutMs, () => client.releaseLease(key, token));
        },
      };
    },
  };
}
