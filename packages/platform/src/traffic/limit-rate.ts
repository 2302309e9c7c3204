import { deny, next, type RequestStage, type Verdict } from '@portcullis/core/pipeline/stage';
import type { BucketAnswer, BucketRule } from '../coordination/coordination.ts';

/** What every store of limits answers. */
type LimitAnswer = Pick<BucketAnswer, 'allowed' | 'retryAfterMs'>;

/**
 * The rate limit of a data plane. It says which limit a request counts against: the name under which all processes
 * count, and the rule of the store that counts, such as the buckets of `platform/coordination`.
 */
export interface RateLimit<Rule = BucketRule> {
  /** What is counted together has one name in all processes, and nothing else of the store has it. */
  readonly name: string;
  /** As the client is shown it. More than 0. */
  readonly perMinute: number;
  readonly rule: Rule;
  /** Refuse while the store is away, instead of limiting in this process. */
  readonly denyWithoutStore: boolean;
}

interface LimitStore<Rule> {
  /** Rejects while the store is out of reach. */
  take(name: string, rule: Rule): LimitAnswer | Promise<LimitAnswer>;
}

export interface LimitStores<Rule = BucketRule> {
  readonly shared: LimitStore<Rule>;
  /** Of this process, used while the shared one is out of reach. */
  readonly local: LimitStore<Rule>;
}

interface Arrival {
  /** Epoch milliseconds. */
  readonly receivedAt: number;
}

const limitHeaders = ({ receivedAt }: Arrival, limit: number, { retryAfterMs }: LimitAnswer) => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-reset': String(Math.ceil((receivedAt + retryAfterMs) / 1_000)),
  'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1_000))),
});

/**
 * Counts one request against a limit. While the shared store is away each process limits on its own, and says nothing
 * of limits that it cannot know, unless the limit says to refuse.
 */
export function takeFromLimit<Rule>(
  arrival: Arrival,
  { shared, local }: LimitStores<Rule>,
  { name, perMinute, rule, denyWithoutStore }: RateLimit<Rule>,
): Verdict | Promise<Verdict> {
  const judge = (answer: LimitAnswer): Verdict =>
    answer.allowed ? next : deny('rate_limited', { headers: limitHeaders(arrival, perMinute, answer) });
  const judgeLocally = async (): Promise<Verdict> => {
    if (denyWithoutStore) return deny('service_unavailable');
    return (await local.take(name, rule)).allowed ? next : deny('rate_limited');
  };

  const answer = shared.take(name, rule);
  return answer instanceof Promise ? answer.then(judge, judgeLocally) : judge(answer);
}

/**
 * Refuses requests that come faster than their limit.
 * @param findLimit the limit of a request; undefined where it has none
 */
export const createLimitRate = <Exchange extends Arrival, Rule>(
  stores: LimitStores<Rule>,
  findLimit: (exchange: Exchange) => RateLimit<Rule> | undefined,
): RequestStage<Exchange> => ({
  name: 'limit-rate',
  run(exchange) {
    const limit = findLimit(exchange);
    return limit === undefined ? next : takeFromLimit(exchange, stores, limit);
  },
});
