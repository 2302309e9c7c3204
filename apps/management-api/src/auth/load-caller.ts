import type { Database } from '@portcullis/platform/database/database';
import { invalidToken } from '@portcullis/platform/identity/tokens';
import { findUserWithHash } from '@portcullis/platform/identity/user-queries';
import type { Caller } from '@portcullis/platform/routes/bound-route';

/** The user who calls, as the database has them now. @throws {GatewayError} `invalid_token` */
export async function loadCallerOrThrow(database: Database, caller: Caller | undefined) {
  const user = caller?.kind === 'user' ? await findUserWithHash(database, caller.id) : undefined;
  if (user === undefined) throw invalidToken();
  return user;
}
