import { describeEndedKey } from '@portcullis/core/identity/ended-key';
import { hashKey, type PresentedKey } from '@portcullis/core/identity/presented-key';
import { deny, next, type RequestStage, type Verdict } from '@portcullis/core/pipeline/stage';
import { findClientCertificate } from './client-certificate.ts';
import type { KeyEntry, TrafficExchange } from './traffic-exchange.ts';

/**
 * Finds the key that the request presents and refuses one that is missing, unknown, revoked or expired. Without a key that
 * is known the client certificate of the connection counts, where a user group is bound to its subject.
 * @param find where clients of this traffic put their key
 */
export const createIdentify = <Exchange extends TrafficExchange>(
  find: (exchange: Exchange) => PresentedKey | undefined,
): RequestStage<Exchange> => ({
  name: 'identify',
  run(exchange) {
    const presented = find(exchange);
    if (presented === undefined) return identifyByCertificate(exchange) ?? deny('key_missing');
    exchange.presentedKey = presented;
    const key = exchange.snapshot.keysByHash.get(hashKey(presented.token));
    // Clients whose libraries insist on some key send one that means nothing.
    if (key === undefined) return identifyByCertificate(exchange) ?? deny('key_unknown');
    exchange.key = key;
    return judgeKey(key, exchange.receivedAt);
  },
});

/** Refuses a key that is revoked or has expired, and says so: who presents it knows it. */
export function judgeKey(key: KeyEntry, nowMs: number): Verdict {
  if (key.active && key.expiresAtMs > nowMs) return next;
  return deny(key.active ? 'key_expired' : 'key_revoked', { message: describeEndedKey(key) });
}

/** Undefined where the client showed none. */
function identifyByCertificate(exchange: TrafficExchange): Verdict | undefined {
  const shown = findClientCertificate(exchange.request.socket);
  if (shown === undefined) return undefined;
  // A connection may be older than the end of its certificate.
  if (!shown.valid || shown.expiresAtMs <= exchange.receivedAt) return deny('certificate_invalid');
  const { subject, expiresAtMs } = shown;
  const group = exchange.snapshot.groupsBySubject.get(subject);
  exchange.certificate = { subject, expiresAtMs, groupId: group?.id };
  return group === undefined ? deny('certificate_unknown') : next;
}
