import { randomUUID } from 'node:crypto';
import type { Redis, Result } from 'ioredis';
import { slotOf } from '@portcullis/core/budget/account';
import type { Accounts, ReserveAnswer } from '../coordination.ts';
import { mergeSettlements } from './merge-settlements.ts';
import type { RedisBatcher } from './redis-batcher.ts';
import { withTimeout } from './with-timeout.ts';

/** A sharer that is silent for so long has ended. */
const sharerMs = 30_000;

const shareLua = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return {redis.call('ZCARD', KEYS[1]), now}
`;

/** Beyond the wait of a caller: how long a connection that is silent is kept. */
const droppedAfterMs = 1_000;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    shareAccounts(key: string, sharer: string, silentMs: number): Result<[sharers: number, nowMs: number], Context>;
  }
}

export interface RedisAccountsParts {
  readonly client: Redis;
  readonly keyPrefix: string;
  readonly timeoutMs: number;
  readonly batch: RedisBatcher;
}

/** Accounts shared by all processes: one round trip each, together with what others ask. */
export function createRedisAccounts({ client, keyPrefix, timeoutMs, batch }: RedisAccountsParts): Accounts {
  client.defineCommand('shareAccounts', { numberOfKeys: 1, lua: shareLua });
  const sharer = randomUUID();
  /** How far Redis' clock is ahead of this process' own at the most, in milliseconds; that one is never set. */
  let aheadMs: number | undefined;
  /** By Redis' clock, from when on no caller waits for the answer to what is asked now. 0 while that is unknown. */
  const latestMs = (): number =>
    aheadMs === undefined ? 0 : Math.ceil(performance.now() + aheadMs + timeoutMs + droppedAfterMs);
  // The braces keep all of them in one place, where one script may see them together.
  const nameOf = (key: string): string => `${keyPrefix}{account}:${key}`;

  const settle = mergeSettlements(({ keys, slot, amount }, spent) =>
    batch.ask({ kind: 'settle', keys: keys.map(nameOf), args: () => [slot, amount, spent], read: readNumbers }),
  );

  return {
    settle,

    share: () =>
      withTimeout(client, timeoutMs, async () => {
        const askedMs = performance.now();
        const [sharers, nowMs] = await client.shareAccounts(`${keyPrefix}sharers`, sharer, sharerMs);
        // This process may hear of it much later.
        aheadMs = nowMs - askedMs;
        return sharers;
      }),

    reserve(claims, amount) {
      const slot = slotOf(Date.now());
      const args = () => {
        const all = [slot, amount, latestMs()];
        for (const { limit, atLeastSpent } of claims) all.push(limit, atLeastSpent);
        return all;
      };
      const read = (text: string): ReserveAnswer => {
        const [admitted, ...figures] = readNumbers(text);
        if (admitted === -1) throw new Error('Redis was asked too long ago');
        const balances = claims.map((_, at) => ({ spent: figures[2 * at] ?? 0, held: figures[2 * at + 1] ?? 0 }));
        const keys = claims.map(({ key }) => key);
        return { reservation: admitted === 1 ? { keys, slot, amount } : undefined, balances };
      };
      return batch.ask({
        kind: 'reserve',
        keys: claims.map(({ key }) => nameOf(key)),
        args,
        read,
        // No caller waits for it any more, so none would give it back.
        readLate(text) {
          if (text === '-1') return;
          const { reservation } = read(text);
          if (reservation !== undefined) settle(reservation, 0).catch(() => undefined);
        },
      });
    },
  };
}

const readNumbers = (text: string): number[] => text.split(' ').map(Number);
