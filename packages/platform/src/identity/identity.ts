import type { Database } from '../database/database.ts';
import type { UserCaller } from '../routes/bound-route.ts';
import { findLastingSessions, findUserOfToken } from './session-queries.ts';
import { invalidToken, type Tokens } from './tokens.ts';

export interface Login {
  readonly caller: UserCaller;
  readonly sessionId: string;
  readonly expiresAtMs: number;
}

/** Resolves a token to its user as the database has them now: a user who is deactivated or logs out is out at once. */
export interface Identity {
  /** @throws {GatewayError} `invalid_token` */
  identifyOrThrow(token: string): Promise<Login>;
  /** Those of the sessions that still last. */
  findLasting(sessionIds: readonly string[]): Promise<ReadonlySet<string>>;
}

export const createIdentity = (database: Database, tokens: Tokens): Identity => ({
  async identifyOrThrow(token) {
    const claims = tokens.parseOrThrow(token);
    const user = await findUserOfToken(database, claims);
    if (user === undefined) throw invalidToken();
    const { id, username, role } = user;
    // A user who never gave the password that was made up for them need not replace it.
    const mustChangePassword = user.must_change_password && claims.provider === undefined;
    return {
      caller: {
        kind: 'user',
        id,
        username,
        role,
        mustChangePassword,
        session: { id: claims.sessionId, kind: 'token' },
      },
      sessionId: claims.sessionId,
      expiresAtMs: claims.expiresAtMs,
    };
  },
  findLasting: (sessionIds) => findLastingSessions(database, sessionIds),
});
