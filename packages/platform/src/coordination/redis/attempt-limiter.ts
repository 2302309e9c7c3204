import type { Redis, Result } from 'ioredis';
import type { AttemptLimiter } from '../coordination.ts';
import { withTimeout } from './with-timeout.ts';

/** No traffic waits for it, and who is refused for want of an answer has to log in again. */
const timeoutMs = 2_000;

/**
 * `beginAttempt` of core in Redis' language; returns the milliseconds to wait. The time is Redis'
 * own, so that the clocks of the gateways need not agree; tests pass theirs.
 */
const beginAttemptLua = `
local free, first, longest, forget, now = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
if now < 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local known = redis.call('HMGET', KEYS[1], 'attempts', 'notBefore', 'forgottenAt')
local attempts, notBefore = 0, 0
if known[3] and now < tonumber(known[3]) then
  attempts, notBefore = tonumber(known[1]), tonumber(known[2])
end
if now < notBefore then return notBefore - now end
attempts = math.min(attempts + 1, free + 40)
local delay = 0
if attempts >= free then delay = math.min(first * 2 ^ (attempts - free), longest) end
redis.call('HSET', KEYS[1], 'attempts', attempts, 'notBefore', string.format('%.0f', now + delay), 'forgottenAt', string.format('%.0f', now + forget))
redis.call('PEXPIRE', KEYS[1], forget)
return 0
`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    beginAttempt(
      key: string,
      freeAttempts: number,
      firstDelayMs: number,
      maxDelayMs: number,
      forgetAfterMs: number,
      nowMs: number,
    ): Result<number, Context>;
  }
}

/** Attempts counted for all processes. */
export function createRedisAttemptLimiter(client: Redis, keyPrefix: string, nowUs?: () => number): AttemptLimiter {
  client.defineCommand('beginAttempt', { numberOfKeys: 1, lua: beginAttemptLua });
  const keyOf = (key: string) => `${keyPrefix}attempts:${key}`;

  return {
    begin: (key, { freeAttempts, firstDelayMs, maxDelayMs, forgetAfterMs }) =>
      withTimeout(client, timeoutMs, async () => {
        const nowMs = nowUs === undefined ? -1 : Math.floor(nowUs() / 1_000);
        const rule = [freeAttempts, firstDelayMs, maxDelayMs, forgetAfterMs] as const;
        const retryAfterMs = await client.beginAttempt(keyOf(key), ...rule, nowMs);
        return { allowed: retryAfterMs === 0, retryAfterMs };
      }),
    clear: (key) => withTimeout(client, timeoutMs, async () => void (await client.del(keyOf(key)))),
  };
}
