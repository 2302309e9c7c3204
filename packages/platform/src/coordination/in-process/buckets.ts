import { performance } from 'node:perf_hooks';
import { takeToken, type BucketAnswer, type BucketRule, type FullAtUs } from '@portcullis/core/rate-limit/token-bucket';
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
  // In the order of their last use: the first are the likeliest to be full again.
  const buckets = new Map<string, FullAtUs>();

  return {
    take(key, rule) {
      const now = nowUs();
      const known = buckets.get(key);
      const { state, answer } = takeToken(known, rule, now);
      if (known !== undefined) buckets.delete(key);
      buckets.set(key, state);
      if (known === undefined) dropUnused(buckets, now, maxBuckets);
      return answer;
    },

    get size() {
      return buckets.size;
    },
  };
}

/** Two looks for every new bucket: the map shrinks faster than it grows, and nobody waits for a sweep. */
function dropUnused(buckets: Map<string, FullAtUs>, nowUs: number, maxBuckets: number): void {
  let looks = 2;
  for (const [key, fullAtUs] of buckets) {
    if (looks === 0 || (fullAtUs > nowUs && buckets.size <= maxBuckets)) return;
    buckets.delete(key);
    looks -= 1;
  }
}
