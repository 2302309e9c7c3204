import { bucketRuleFor } from '@portcullis/core/rate-limit/token-bucket';
import { callerNumber } from '@portcullis/platform/traffic/caller-number';
import type { RateLimit } from '@portcullis/platform/traffic/limit-rate';
import type { Exchange } from '../exchange/exchange.ts';
import type { ProxyEntry } from '../snapshot/snapshot.ts';

/** A limit as the settings of a proxy have it. */
export const limitOn = ({ refill, denyWithoutStore }: ProxyEntry, name: string, perMinute: number): RateLimit => ({
  name,
  perMinute,
  rule: bucketRuleFor(perMinute, refill),
  denyWithoutStore,
});

/** The limit of this key on this proxy, when the access entry sets one. */
export function findLimit(exchange: Exchange): RateLimit | undefined {
  const { access, proxy } = exchange;
  const perMinute = access?.rateLimit ?? 0;
  return perMinute === 0 ? undefined : limitOn(proxy, `rate-${proxy.id}-${callerNumber(exchange) ?? 0}`, perMinute);
}
