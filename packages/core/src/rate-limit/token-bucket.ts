/** How fast a bucket empties and fills. */
export interface BucketRule {
  /** Tokens the bucket holds when full, an integer. */
  readonly capacity: number;
  /** More than 0. */
  readonly refillPerSecond: number;
}

export interface BucketAnswer {
  readonly allowed: boolean;
  /** Whole tokens left after this call. */
  readonly remaining: number;
  /** Milliseconds until one token is there; 0 when allowed. */
  readonly retryAfterMs: number;
}

/**
 * The limit as specified: a bucket of `limit` tokens that refills one token per second, one token
 * per request. `proportional` refills the whole limit in a minute instead.
 */
export const bucketRuleFor = (limitPerMinute: number, refill: 'literal' | 'proportional' = 'literal'): BucketRule => ({
  capacity: limitPerMinute,
  refillPerSecond: refill === 'literal' ? 1 : limitPerMinute / 60,
});

/**
 * The whole state of a bucket is the moment at which it will be full again, in microseconds. One
 * integer instead of a token count with a time: nothing rounds, a full bucket needs no state, and
 * the implementations in JavaScript and in Lua agree exactly.
 */
export type BucketFullAtUs = number;

/** Microseconds in which one token comes back. */
export const tokenIntervalUs = (rule: BucketRule): number => Math.max(1, Math.round(1_000_000 / rule.refillPerSecond));

/**
 * Takes one token from a bucket; an absent state is a full bucket. A state that claims more than an
 * empty bucket (the rule shrank, the clock went back) counts as empty.
 */
export function takeToken(
  state: BucketFullAtUs | undefined,
  rule: BucketRule,
  nowUs: number,
): { readonly state: BucketFullAtUs; readonly answer: BucketAnswer } {
  const intervalUs = tokenIntervalUs(rule);
  const missingUs = Math.min(Math.max((state ?? nowUs) - nowUs, 0), rule.capacity * intervalUs);
  const answer = bucketAnswer(rule, missingUs);
  return { state: nowUs + missingUs + (answer.allowed ? intervalUs : 0), answer };
}

/** Puts one token back that was taken for nothing; undefined for a bucket that is full then. */
export function returnToken(
  state: BucketFullAtUs | undefined,
  rule: BucketRule,
  nowUs: number,
): BucketFullAtUs | undefined {
  const fullAtUs = (state ?? nowUs) - tokenIntervalUs(rule);
  return fullAtUs > nowUs ? fullAtUs : undefined;
}

/** The answer to a request that found the bucket `missingUs` away from being full. */
export function bucketAnswer(rule: BucketRule, missingUs: number): BucketAnswer {
  const intervalUs = tokenIntervalUs(rule);
  const spareUs = rule.capacity * intervalUs - missingUs - intervalUs;
  return spareUs >= 0
    ? { allowed: true, remaining: Math.floor(spareUs / intervalUs), retryAfterMs: 0 }
    : { allowed: false, remaining: 0, retryAfterMs: Math.ceil(-spareUs / 1_000) };
}
