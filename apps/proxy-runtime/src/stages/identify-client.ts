import { deny, next, type RequestStage } from '@portcullis/core/pipeline/stage';
import { findSessionToken } from '@portcullis/core/identity/presented-key';
import type { TokenClaims } from '@portcullis/platform/identity/tokens';
import { createIdentify } from '@portcullis/platform/traffic/identify';
import type { Exchange } from '../exchange.ts';
import type { Login, ProxyEntry, Snapshot } from '../snapshot/snapshot.ts';
import { findKey } from './find-key.ts';

/** What a token says about itself, where it is one of a session; undefined for one that is not ours or has expired. */
export type ReadToken = (token: string) => TokenClaims | undefined;

const byKey = createIdentify<Exchange>(findKey);

/**
 * Finds out who calls: by the key, as on every data plane, or by the token of a session. `X-API-Key` comes first; a session
 * token leaves `Authorization` to the target.
 */
export const createIdentifyClient = (readToken: ReadToken): RequestStage<Exchange> => ({
  name: byKey.name,
  run(exchange) {
    const token = findSessionToken(exchange.request.headers);
    if (token === undefined) return byKey.run(exchange);
    exchange.presentedKey = { token, header: 'x-session-token' };
    const claims = readToken(token);
    const login = claims && findLogin(claims, exchange.snapshot, exchange.proxy);
    if (login === undefined) return deny('invalid_token');
    exchange.user = login;
    return next;
  },
});

/** The user of a token as the snapshot has them; undefined where the token does not count any more. */
export function findLogin(claims: TokenClaims, snapshot: Snapshot, proxy: ProxyEntry): Login | undefined {
  const { sessions, users } = snapshot.logins;
  const session = sessions.get(claims.sessionId);
  if (session?.tokenId !== claims.tokenId || session.userId !== claims.userId) return undefined;
  const user = users.get(claims.userId);
  if (user?.active !== true) return undefined;
  // Until they have, nothing else is open to them; who came with a provider never had the password.
  if (user.mustChangePassword && claims.provider === undefined) return undefined;
  const { id, username, email, role } = user;
  return { id, username, email, role, claims, groupId: findGroupId(id, snapshot, proxy) };
}

/** The oldest of the user's groups that may use the proxy; else the oldest, which says why not. */
function findGroupId(userId: number, { logins, groups }: Snapshot, proxy: ProxyEntry): number | undefined {
  const own = [...(logins.groups.get(userId) ?? [])].map(([id]) => id).toSorted((one, other) => one - other);
  return own.find((id) => groups.get(id)?.active === true && proxy.access.get(id) !== undefined) ?? own[0];
}
