import { hashKey, type PresentedKey } from '@portcullis/core/identity/presented-key';
import { deny, next, type RequestStage } from '@portcullis/core/pipeline/stage';
import type { TrafficExchange } from './traffic-exchange.ts';

/**
 * Finds the key that the request presents and refuses one that is missing, unknown, revoked or expired.
 * @param find where clients of this traffic put their key
 */
export const createIdentify = <Exchange extends TrafficExchange>(
  find: (exchange: Exchange) => PresentedKey | undefined,
): RequestStage<Exchange> => ({
  name: 'identify',
  run(exchange) {
    const presented = find(exchange);
    if (presented === undefined) return deny('key_missing');
    exchange.presentedKey = presented;
    const key = exchange.snapshot.keysByHash.get(hashKey(presented.token));
    if (key === undefined) return deny('key_unknown');
    exchange.key = key;
    if (!key.active) return deny('key_revoked');
    if (key.expiresAtMs <= exchange.receivedAt) return deny('key_expired');
    return next;
  },
});
