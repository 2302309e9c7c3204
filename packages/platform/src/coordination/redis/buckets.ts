import { bucketAnswer, tokenIntervalUs } from '@portcullis/core/rate-limit/token-bucket';
import type { Buckets } from '../coordination.ts';
import type { RedisBreaker } from './redis-breaker.ts';
import type { RedisBatcher } from './redis-batcher.ts';

export interface RedisBucketsParts {
  readonly keyPrefix: string;
  readonly batch: RedisBatcher;
  readonly breaker: RedisBreaker;
}

/** Buckets shared by all processes: one round trip, together with what others ask. */
export function createRedisBuckets({ keyPrefix, batch, breaker }: RedisBucketsParts): Buckets {
  return {
    take(key, rule) {
      const intervalUs = tokenIntervalUs(rule);
      return breaker.ask((onReply) =>
        batch.ask({
          kind: 'take',
          keys: [`${keyPrefix}bucket:${key}`],
          args: () => [rule.capacity * intervalUs, intervalUs],
          read: (missingUs) => bucketAnswer(rule, Number(missingUs)),
          onReply,
        }),
      );
    },

    giveBack: (key, rule) =>
      breaker.ask((onReply) =>
        batch.ask({
          kind: 'give',
          keys: [`${keyPrefix}bucket:${key}`],
          args: () => [tokenIntervalUs(rule)],
          read: () => undefined,
          onReply,
        }),
      ),
  };
}
