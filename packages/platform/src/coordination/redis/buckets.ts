import type { Redis, Result } from 'ioredis';
import { bucketAnswer, tokenIntervalUs } from '@portcullis/core/rate-limit/token-bucket';
import type { Buckets } from '../coordination.ts';
import { Patience } from './patience.ts';

const timeoutMs = 250;

/**
 * `takeToken` of core in Redis' language, but for the rendering of the answer: takes a token if
 * there is one and returns how far from full the bucket was found, in microseconds. The time is
 * Redis' own, so that the clocks of the gateways need not agree; tests pass theirs. The key goes
 * when the bucket is full again, with a second to spare for rounding.
 */
const takeTokenLua = `
local burst, interval, now = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
if now < 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
local fullAt = tonumber(redis.call('GET', KEYS[1]) or 0)
local missing = math.min(math.max(fullAt - now, 0), burst)
local left = missing
if missing + interval <= burst then left = missing + interval end
redis.call('SET', KEYS[1], string.format('%.0f', now + left), 'PX', math.ceil(left / 1000) + 1000)
return missing
`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    takeToken(key: string, burstUs: number, intervalUs: number, nowUs: number): Result<number, Context>;
  }
}

/** No time: the script asks Redis. */
const redisTime = (): number => -1;

/** Buckets shared by all processes: one round trip, many in one packet when the client pipelines by itself. */
export function createRedisBuckets(client: Redis, keyPrefix: string, nowUs = redisTime): Buckets {
  client.defineCommand('takeToken', { numberOfKeys: 1, lua: takeTokenLua });
  const patience = new Patience(client, timeoutMs);

  return {
    take(key, rule) {
      const intervalUs = tokenIntervalUs(rule);
      const burstUs = rule.capacity * intervalUs;
      return patience.ask(async () => {
        const missingUs = await client.takeToken(`${keyPrefix}bucket:${key}`, burstUs, intervalUs, nowUs());
        return bucketAnswer(rule, missingUs);
      });
    },
  };
}
