import { performance } from 'node:perf_hooks';
import { LruMap } from '@portcullis/core/collections/lru-map';
import {
  returnToken,
  takeToken,
  type BucketAnswer,
  type BucketRule,
  type BucketFullAtUs,
} from '@portcullis/core/rate-limit/token-bucket';
import type { Buckets } from '../coordination.ts';

export interface InProcessBucketsOptions {
  readonly maxBuckets?: number;
  /** Microseconds that never go back; a wall clock would make a step of the time a wave of denials. */
  readonly nowUs?: (() => number) | undefined;
}

export interface InProcessBuckets extends Buckets {
  take(key: string, rule: BucketRule): BucketAnswer;
  /** Buckets that are not known to be full. */
  readonly size: number;
}

/** Buckets in this process, lost with it. A full bucket needs no state, so full ones are dropped as new ones come. */
export function createInProcessBuckets({
  maxBuckets = 100_000,
  nowUs = () => Math.round(performance.now() * 1_000),
}: InProcessBucketsOptions = {}): InProcessBuckets {
  const buckets = new LruMap<BucketFullAtUs>();

  return {
    take(key, rule) {
      const now = nowUs();
      const known = buckets.use(key);
      const { state, answer } = takeToken(known?.value, rule, now);
      if (known !== undefined) known.value = state;
      else {
        buckets.add(key, state);
        dropUnused(buckets, now, maxBuckets);
      }
      return answer;
    },

    async giveBack(key, rule) {
      const known = buckets.use(key);
      if (known === undefined) return;
      const state = returnToken(known.value, rule, nowUs());
      if (state === undefined) buckets.delete(key);
      else known.value = state;
    },

    get size() {
      return buckets.size;
    },
  };
}

/**
 * Two looks for every new bucket: the map shrinks faster than it grows, and no caller waits for a sweep. Those that were
 * not used for longest are the likeliest to be full again.
 */
function dropUnused(buckets: LruMap<BucketFullAtUs>, nowUs: number, maxBuckets: number): void {
  for (let looks = 2; looks > 0; looks -= 1) {
    const { oldest } = buckets;
    if (oldest === undefined || (oldest.value > nowUs && buckets.size <= maxBuckets)) return;
    buckets.delete(oldest.key);
  }
}
