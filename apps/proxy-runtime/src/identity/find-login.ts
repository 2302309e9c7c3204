import type { Login, ProxyEntry, Snapshot } from '../snapshot/snapshot.ts';

/** The user of a token as the snapshot has them; undefined where the token does not count any more. */
export function findLogin(claims: Login['claims'], snapshot: Snapshot, proxy: ProxyEntry): Login | undefined {
  if (!stands(claims, snapshot, proxy)) return undefined;
  const user = snapshot.logins.users.get(claims.userId);
  if (user?.active !== true) return undefined;
  // Until they have, nothing else is open to them; who came with a provider never had the password.
  if (user.mustChangePassword && claims.provider === undefined) return undefined;
  const { id, username, email, role } = user;
  return { id, username, email, role, claims, groupId: findGroupId(id, snapshot, proxy) };
}

/**
 * Whether the session is there of which the token is the present one, or the grant for this proxy; or the provider calls the
 * user still so.
 */
function stands(claims: Login['claims'], { logins, oauth }: Snapshot, proxy: ProxyEntry): boolean {
  if ('grantId' in claims) {
    const grant = oauth.grants.get(claims.grantId);
    return grant?.proxyId === proxy.id && grant.userId === claims.userId;
  }
  if ('identity' in claims) {
    const isForwarded = proxy.oauth?.upstream?.providerId === claims.providerId;
    const isKnown = oauth.providers.get(claims.providerId) !== undefined;
    return isForwarded && isKnown && oauth.identities.get(claims.identity) === claims.userId;
  }
  const session = logins.sessions.get(claims.sessionId);
  return session?.tokenId === claims.tokenId && session.userId === claims.userId;
}

/** The oldest of the user's groups that may use the proxy; else the oldest, which says why not. */
function findGroupId(userId: number, { logins, groups }: Snapshot, proxy: ProxyEntry): number | undefined {
  const own = [...(logins.groups.get(userId) ?? [])].map(([id]) => id).toSorted((one, other) => one - other);
  return own.find((id) => groups.get(id)?.active === true && proxy.access.get(id) !== undefined) ?? own[0];
}
