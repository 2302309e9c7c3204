import { deny, next, type RequestStage, type Verdict } from '@portcullis/core/pipeline/stage';
import { bucketRuleFor } from '@portcullis/core/rate-limit/token-bucket';
import type { BucketAnswer, Buckets } from '@portcullis/platform/coordination/coordination';
import type { Exchange } from '../exchange.ts';

const judge = (exchange: Exchange, limit: number, answer: BucketAnswer): Verdict => {
  if (answer.allowed) return next;
  const resetAt = Math.ceil((exchange.receivedAt + answer.retryAfterMs) / 1_000);
  return deny('rate_limited', {
    headers: {
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-reset': String(resetAt),
      'retry-after': String(Math.max(1, Math.ceil(answer.retryAfterMs / 1_000))),
    },
  });
};

/** Takes one token from the bucket of this key on this proxy, when the access entry sets a limit. */
export const createLimitRate = (buckets: Buckets): RequestStage<Exchange> => ({
  name: 'limit-rate',
  on: ['llm', 'mcp'],
  onFault: 'degrade',
  run(exchange) {
    const limit = exchange.access?.rateLimit ?? 0;
    if (limit === 0) return next;
    const answer = buckets.take(`rate-${exchange.proxy.id}-${exchange.key?.id}`, bucketRuleFor(limit));
    return answer instanceof Promise
      ? answer.then((late) => judge(exchange, limit, late))
      : judge(exchange, limit, answer);
  },
});
