import { findClientKey, findPresentedKey, hashKey, withoutKey } from '@portcullis/core/identity/presented-key';
import { deny, next, type RequestStage } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange.ts';

/** Finds the key that the request presents and refuses one that is missing, unknown, revoked or expired. */
export const identify: RequestStage<Exchange> = {
  name: 'identify',
  run(exchange) {
    const { proxy, query, request } = exchange;
    const presented = proxy.type === 'llm' ? findClientKey(request.headers, query) : findPresentedKey(request.headers);
    if (presented === undefined) return deny('key_missing');
    exchange.presentedKey = presented;
    if (!proxy.forwardGatewayKey) exchange.query = withoutKey(query, presented.token);
    const key = exchange.snapshot.keysByHash.get(hashKey(presented.token));
    if (key === undefined) return deny('key_unknown');
    exchange.key = key;
    if (!key.active) return deny('key_revoked');
    if (key.expiresAtMs <= exchange.receivedAt) return deny('key_expired');
    return next;
  },
};
