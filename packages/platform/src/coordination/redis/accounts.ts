import { randomUUID } from 'node:crypto';
import type { Redis, Result } from 'ioredis';
import { heldSlots, slotOf } from '@portcullis/core/budget/account';
import type { Accounts } from '../coordination.ts';
import { gatherSettlements } from './gather-settlements.ts';
import { within } from './within.ts';

/** An account outlives its month. */
const ttlSeconds = 40 * 86_400;

/**
 * `readBalance` and `hold` of core in Redis' language, over all accounts at once: answers whether the amount
 * is held, and of each account what was spent and held before. An account is a hash of what was spent and of
 * one field for each slot with holds. What is read later than `latest`, by Redis' clock, holds nothing: nobody
 * waits for it any more, and a connection that was dropped cannot tell.
 */
const reserveLua = `
local slot, oldest, amount, ttl = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
local latest = tonumber(ARGV[5])
if latest > 0 then
  local time = redis.call('TIME')
  if time[1] * 1000 + math.floor(time[2] / 1000) > latest then return {-1} end
end
local answer, admitted = {1}, 1
for i, key in ipairs(KEYS) do
  local limit, known = tonumber(ARGV[4 + 2 * i]), tonumber(ARGV[5 + 2 * i])
  local fields = redis.call('HGETALL', key)
  local spent, held = 0, 0
  for at = 1, #fields, 2 do
    if fields[at] == 'spent' then spent = tonumber(fields[at + 1])
    elseif tonumber(fields[at]) < oldest then redis.call('HDEL', key, fields[at])
    else held = held + tonumber(fields[at + 1]) end
  end
  if known > spent then
    spent = known
    redis.call('HSET', key, 'spent', string.format('%.0f', spent))
    redis.call('EXPIRE', key, ttl)
  end
  if spent + held >= limit then admitted = 0 end
  answer[2 * i] = spent
  answer[2 * i + 1] = held
end
answer[1] = admitted
if admitted == 1 then
  for _, key in ipairs(KEYS) do
    redis.call('HINCRBY', key, slot, amount)
    redis.call('EXPIRE', key, ttl)
  end
end
return answer
`;

const settleLua = `
local answer = {}
for i, key in ipairs(KEYS) do
  answer[i] = redis.call('HINCRBY', key, 'spent', ARGV[3])
  local held = tonumber(redis.call('HGET', key, ARGV[1]))
  if held then redis.call('HSET', key, ARGV[1], string.format('%.0f', math.max(0, held - tonumber(ARGV[2])))) end
  redis.call('EXPIRE', key, ARGV[4])
end
return answer
`;

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
    reserveAmount(keyCount: number, ...keysAndValues: (string | number)[]): Result<number[], Context>;
    settleAmount(keyCount: number, ...keysAndValues: (string | number)[]): Result<number[], Context>;
    shareAccounts(key: string, sharer: string, silentMs: number): Result<[sharers: number, nowMs: number], Context>;
  }
}

/** Accounts shared by all processes: one round trip each, many in one packet when the client pipelines by itself. */
export function createRedisAccounts(client: Redis, keyPrefix: string, timeoutMs: number): Accounts {
  client.defineCommand('reserveAmount', { lua: reserveLua });
  client.defineCommand('settleAmount', { lua: settleLua });
  client.defineCommand('shareAccounts', { numberOfKeys: 1, lua: shareLua });
  const sharer = randomUUID();
  /** How far Redis' clock is ahead of this process', in milliseconds. */
  let aheadMs: number | undefined;
  // The braces keep all of them in one place, where one script may see them together.
  const nameOf = (key: string): string => `${keyPrefix}{account}:${key}`;

  const settle: Accounts['settle'] = gatherSettlements(({ keys, slot, amount }, spent) =>
    within(client, timeoutMs, () =>
      client.settleAmount(keys.length, ...keys.map(nameOf), slot, amount, spent, ttlSeconds),
    ),
  );

  return {
    settle,

    share: () =>
      within(client, timeoutMs, async () => {
        const [sharers, nowMs] = await client.shareAccounts(`${keyPrefix}sharers`, sharer, sharerMs);
        aheadMs = nowMs - Date.now();
        return sharers;
      }),

    reserve(claims, amount) {
      const now = Date.now();
      const slot = slotOf(now);
      const latest = aheadMs === undefined ? 0 : now + aheadMs + timeoutMs + droppedAfterMs;
      let givenUp = false;
      const names = claims.map(({ key }) => nameOf(key));
      const rules = claims.flatMap(({ limit, atLeastSpent }) => [limit, atLeastSpent]);
      const answer = within(client, timeoutMs, async () => {
        const fixed = [slot, slot - heldSlots + 1, amount, ttlSeconds, latest];
        const [admitted, ...figures] = await client.reserveAmount(names.length, ...names, ...fixed, ...rules);
        if (admitted === -1) throw new Error('Redis was asked too long ago');
        const balances = claims.map((_, index) => ({
          spent: figures[2 * index] ?? 0,
          held: figures[2 * index + 1] ?? 0,
        }));
        const keys = claims.map(({ key }) => key);
        const reservation = admitted === 1 ? { keys, slot, amount } : undefined;
        // Nobody waits for it any more, so nobody would give it back.
        if (givenUp && reservation !== undefined) await settle(reservation, 0);
        return { reservation, balances };
      });
      return answer.catch((error: unknown) => {
        givenUp = true;
        throw error;
      });
    },
  };
}
