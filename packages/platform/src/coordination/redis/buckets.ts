import { bucketAnswer, tokenIntervalUs } from '@portcullis/core/rate-limit/token-bucket';
import type { Buckets } from '../coordination.ts';
import type { Patience } from './patience.ts';
import type { Rounds } from './rounds.ts';

export interface RedisBucketsParts {
  readonly keyPrefix: string;
  readonly rounds: Rounds;
  readonly patience: Patience;
}

/** Buckets shared by all processes: one round trip, together with what others ask. */
export function createRedisBuckets({ keyPrefix, rounds, patience }: RedisBucketsParts): Buckets {
  return {
    take(key, rule) {
      const intervalUs = tokenIntervalUs(rule);
      return patience.ask((tell) =>
        rounds.ask({
          kind: 'take',
          keys: [`${keyPrefix}bucket:${key}`],
          words: () => [rule.capacity * intervalUs, intervalUs],
          read: (missingUs) => bucketAnswer(rule, Number(missingUs)),
          tell,
        }),
      );
    },
  };
}
