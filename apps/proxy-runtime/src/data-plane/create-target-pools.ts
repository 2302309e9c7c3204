import { createCachedLookup } from '@portcullis/platform/network/cached-lookup';
import { TargetPools } from '../target/target-pools.ts';
import { observePools } from '../traffic/traffic-observer.ts';
import type { DataPlaneParts } from './data-plane-parts.ts';

/** Between the trials of two workers of a target that rests: longer than the word of one takes to the other. */
const turnMs = 100;

/** The ways to the targets. @param changed told when the circuit of one opens or closes */
export function createTargetPools(
  { infrastructure, options, config, log, current }: DataPlaneParts,
  changed: () => void,
): TargetPools {
  const { worker = 1, news } = options;
  const pools = new TargetPools({
    ...config.target,
    breaker: { ...config.target.breaker, turnMs: turnMs * (worker - 1) },
    lookup: createCachedLookup(),
    onChange: observePools(log, infrastructure.metrics.gateway, changed),
    ...(news !== undefined && { onNews: (learned) => news.send(learned) }),
  });
  news?.onHeard((heard) => pools.hear(heard));
  // Most changes concern no proxy, and there may be thousands of them.
  current.follow(
    ({ proxies }) => proxies,
    (proxies) => pools.keepOnly([...proxies.values()].map(({ target }) => target)),
  );
  return pools;
}
