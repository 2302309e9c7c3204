import type { Database } from '@portcullis/platform/database/database';
import type { UserCaller } from '@portcullis/platform/http/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { TokenClaims, Tokens } from './tokens.ts';
import { findActiveUser, type UserRow } from './user-queries.ts';

/** Resolves a token to its user as the database has them now: a deactivated user is out at once. */
export interface Identity {
  /** @throws {GatewayError} `invalid_token` */
  identifyOrThrow(token: string): Promise<{ readonly caller: UserCaller; readonly expiresAtMs: number }>;
}

export const createIdentity = (database: Database, tokens: Tokens): Identity => ({
  async identifyOrThrow(token) {
    const claims = tokens.parseOrThrow(token);
    const { id, username, role } = await loadUserOrThrow(database, claims);
    return { caller: { kind: 'user', id, username, role }, expiresAtMs: claims.expiresAtMs };
  },
});

/** @throws {GatewayError} `invalid_token` */
export async function loadUserOrThrow(database: Database, { userId }: TokenClaims): Promise<UserRow> {
  const user = await findActiveUser(database, userId);
  if (user === undefined) throw new GatewayError('invalid_token');
  return user;
}
