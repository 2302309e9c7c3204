import type { Redis, Result } from 'ioredis';
import { heldSlots, slotOf } from '@portcullis/core/budget/account';
import type { Accounts } from '../coordination.ts';
import { within } from './within.ts';

/** An account outlives its month. */
const ttlSeconds = 40 * 86_400;

/**
 * `readBalance` and `hold` of core in Redis' language, over all accounts at once: answers whether the amount
 * is held, and of each account what was spent and held before. An account is a hash of what was spent and of
 * one field for each slot with holds.
 */
const reserveLua = `
local slot, oldest, amount, ttl = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
local answer, admitted = {1}, 1
for i, key in ipairs(KEYS) do
  local limit, known = tonumber(ARGV[3 + 2 * i]), tonumber(ARGV[4 + 2 * i])
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
for _, key in ipairs(KEYS) do
  redis.call('HINCRBY', key, 'spent', ARGV[3])
  local held = tonumber(redis.call('HGET', key, ARGV[1]))
  if held then redis.call('HSET', key, ARGV[1], string.format('%.0f', math.max(0, held - tonumber(ARGV[2])))) end
  redis.call('EXPIRE', key, ARGV[4])
end
`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    reserveAmount(keyCount: number, ...keysAndValues: (string | number)[]): Result<number[], Context>;
    settleAmount(keyCount: number, ...keysAndValues: (string | number)[]): Result<null, Context>;
  }
}

/** Accounts shared by all processes: one round trip each, many in one packet when the client pipelines by itself. */
export function createRedisAccounts(client: Redis, keyPrefix: string, timeoutMs: number): Accounts {
  client.defineCommand('reserveAmount', { lua: reserveLua });
  client.defineCommand('settleAmount', { lua: settleLua });
  // The braces keep all of them in one place, where one script may see them together.
  const nameOf = (key: string): string => `${keyPrefix}{account}:${key}`;

  const settle: Accounts['settle'] = ({ keys, slot, amount }, spent) =>
    within(client, timeoutMs, async () => {
      await client.settleAmount(keys.length, ...keys.map(nameOf), slot, amount, spent, ttlSeconds);
    });

  return {
    settle,

    reserve(claims, amount) {
      const slot = slotOf(Date.now());
      let givenUp = false;
      const names = claims.map(({ key }) => nameOf(key));
      const rules = claims.flatMap(({ limit, atLeastSpent }) => [limit, atLeastSpent]);
      const answer = within(client, timeoutMs, async () => {
        const fixed = [slot, slot - heldSlots + 1, amount, ttlSeconds];
        const [admitted, ...figures] = await client.reserveAmount(names.length, ...names, ...fixed, ...rules);
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
