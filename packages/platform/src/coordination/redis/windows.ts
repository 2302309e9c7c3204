import type { Windows } from '../coordination.ts';
import type { RedisBatcher } from './redis-batcher.ts';
import type { RedisBreaker } from './redis-breaker.ts';

interface RedisWindowsParts {
  readonly keyPrefix: string;
  readonly batch: RedisBatcher;
  readonly breaker: RedisBreaker;
}

/** Windows shared by all processes: one round trip, together with what others ask. */
export const createRedisWindows = ({ keyPrefix, batch, breaker }: RedisWindowsParts): Windows => ({
  take: (key, limit) =>
    breaker.ask((onReply) =>
      batch.ask({
        kind: 'count',
        keys: [`${keyPrefix}window:${key}`],
        args: () => [limit],
        read: (waitMs) => ({ allowed: waitMs === '0', retryAfterMs: Number(waitMs) }),
        onReply,
      }),
    ),
});
