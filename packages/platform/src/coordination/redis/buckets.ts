import { bucketAnswer, tokenIntervalUs } from '@portcullis/core/rate-limit/token-bucket';
import type { Buckets } from '../coordination.ts';
import type { RedisBreaker } from './redis-breaker.ts';
import type { RedisBatch } from './redis-batch.ts';

export interface RedisBucketsParts {
  readonly keyPrefix: string;
  readonly batch: RedisBatch;
  readonly breaker: RedisBreaker;
}

/** Buckets shared by all processes: one round trip, together with what others ask. */
export function createRedisBuckets({ keyPrefix, batch, breaker }: RedisBucketsParts): Buckets {
  return {
    take(key, rule) {
      const intervalUs = tokenIntervalUs(rule);
      return breaker.ask((tell) =>
        batch.ask({
          kind: 'take',
          keys: [`${keyPrefix}bucket:${key}`],
          words: () => [rule.capacity * intervalUs, intervalUs],
          read: (missingUs) => bucketAnswer(rule, Number(missingUs)),
          tell,
        }),
      );
    },

    giveBack: (key, rule) =>
      breaker.ask((tell) =>
        batch.ask({
          kind: 'give',
          keys: [`${keyPrefix}bucket:${key}`],
          words: () => [tokenIntervalUs(rule)],
          read: () => undefined,
          tell,
        }),
      ),
  };
}
