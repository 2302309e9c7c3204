import type { ErrorReason } from '@portcullis/contracts/errors';
import { hashKey } from '@portcullis/core/identity/presented-key';
import type { KeyEntry } from '@portcullis/platform/traffic/traffic-exchange';
import type { Exchange } from '../exchange/exchange.ts';
import { findLogin } from './find-login.ts';
import type { AccessEntry, ProxyEntry, Snapshot } from '../snapshot/snapshot.ts';

/** What became of a client that was admitted once: what it may do now, or why it may do nothing any more. */
export type CallerStatus =
  | {
      readonly proxy: ProxyEntry;
      readonly access: AccessEntry;
      readonly key: KeyEntry | undefined;
      readonly expiresAtMs: number;
      readonly problem?: never;
    }
  | { readonly problem: ErrorReason };

/** Looks at an exchange that goes on as if it came now. The stages of admission say the same of new ones. */
export function recheckCaller(exchange: Exchange, snapshot: Snapshot, nowMs: number): CallerStatus {
  const proxy = snapshot.proxies.get(exchange.proxy.id);
  if (proxy === undefined) return { problem: 'service_unavailable' };
  const { groupId, key, expiresAtMs, problem } = findCaller(exchange, snapshot, proxy, nowMs);
  if (problem !== undefined) return { problem };
  const group = snapshot.groups.get(groupId);
  if (group?.active !== true) return { problem: 'group_inactive' };
  const access = proxy.access.get(group.id);
  return access === undefined ? { problem: 'access_denied' } : { proxy, access, key, expiresAtMs };
}

type Caller =
  | {
      readonly groupId: number;
      readonly expiresAtMs: number;
      readonly key?: KeyEntry;
      readonly problem?: never;
    }
  | {
      readonly groupId?: never;
      readonly expiresAtMs?: never;
      readonly key?: never;
      readonly problem: ErrorReason;
    };

function findCaller(
  { presentedKey, user, certificate }: Exchange,
  snapshot: Snapshot,
  proxy: ProxyEntry,
  nowMs: number,
): Caller {
  if (user !== undefined) {
    const login = user.claims.expiresAtMs <= nowMs ? undefined : findLogin(user.claims, snapshot, proxy);
    if (login === undefined) return { problem: 'invalid_token' };
    // Calling for another group meanwhile, it would be another caller.
    const isSame = login.groupId !== undefined && login.groupId === user.groupId;
    return isSame ? { groupId: login.groupId, expiresAtMs: user.claims.expiresAtMs } : { problem: 'access_denied' };
  }
  if (certificate !== undefined) {
    const { subject, expiresAtMs } = certificate;
    const group = snapshot.groupsBySubject.get(subject);
    // Bound to another group meanwhile, it would be another caller.
    if (group === undefined || group.id !== certificate.groupId) return { problem: 'certificate_unknown' };
    return expiresAtMs <= nowMs ? { problem: 'certificate_invalid' } : { groupId: group.id, expiresAtMs };
  }
  const key = presentedKey && snapshot.keysByHash.get(hashKey(presentedKey.token));
  if (key === undefined) return { problem: 'key_unknown' };
  if (!key.active) return { problem: 'key_revoked' };
  if (key.expiresAtMs <= nowMs) return { problem: 'key_expired' };
  return { groupId: key.groupId, expiresAtMs: key.expiresAtMs, key };
}
