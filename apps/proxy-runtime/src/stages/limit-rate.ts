import { deny, next, type RequestStage, type Verdict } from '@portcullis/core/pipeline/stage';
import { bucketRuleFor } from '@portcullis/core/rate-limit/token-bucket';
import type { BucketAnswer, Buckets } from '@portcullis/platform/coordination/coordination';
import type { Exchange } from '../exchange.ts';
import { callerNumber } from '@portcullis/platform/traffic/caller-number';

const limitHeaders = (exchange: Exchange, limit: number, { retryAfterMs }: BucketAnswer) => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-reset': String(Math.ceil((exchange.receivedAt + retryAfterMs) / 1_000)),
  'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1_000))),
});

export interface LimitRateParts {
  readonly buckets: Buckets;
  /** Buckets of this process, used while the shared ones are out of reach. */
  readonly localBuckets: Buckets;
}

/**
 * Takes one token from a bucket. While the store of the buckets is away each process limits on its own,
 * and says nothing of limits that it cannot know, unless the proxy would rather refuse.
 * @param bucket its name, and its limit per minute
 */
export function limitBy(
  exchange: Exchange,
  { buckets, localBuckets }: LimitRateParts,
  { name, limit }: { readonly name: string; readonly limit: number },
): Verdict | Promise<Verdict> {
  const rule = bucketRuleFor(limit, exchange.proxy.refill);

  const judge = (answer: BucketAnswer): Verdict =>
    answer.allowed ? next : deny('rate_limited', { headers: limitHeaders(exchange, limit, answer) });
  const judgeLocally = async (): Promise<Verdict> => {
    if (exchange.proxy.denyWithoutStore) return deny('service_unavailable');
    return (await localBuckets.take(name, rule)).allowed ? next : deny('rate_limited');
  };

  const answer = buckets.take(name, rule);
  return answer instanceof Promise ? answer.then(judge, judgeLocally) : judge(answer);
}

/** Takes one token from the bucket of this key on this proxy, when the access entry sets a limit. */
export const createLimitRate = (parts: LimitRateParts): RequestStage<Exchange> => ({
  name: 'limit-rate',
  run(exchange) {
    const { access, proxy } = exchange;
    const limit = access?.rateLimit ?? 0;
    if (limit === 0) return next;
    return limitBy(exchange, parts, { name: `rate-${proxy.id}-${callerNumber(exchange) ?? 0}`, limit });
  },
});
