import { auditEntry, type AuditedCall } from '@portcullis/platform/audit/audited';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import type { Database } from '@portcullis/platform/database/database';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { checkPassword, hashPassword } from '@portcullis/platform/security/password';
import {
  findUserToLogIn,
  renderUser,
  saveLogin,
  type UserRow,
  type UserToLogIn,
} from '@portcullis/platform/identity/user-queries';
import type { LoginLimits } from './login-limits.ts';

interface Credentials {
  readonly username: string;
  readonly password: string;
}

/**
 * Checks a password and opens a session for its user, with a token or a cookie.
 * @throws {GatewayError} `invalid_credentials`, `too_many_requests`
 */
export type PasswordLogin = <Session>(
  call: AuditedCall & { readonly body: Credentials },
  start: (user: UserToLogIn) => Promise<Session>,
) => Promise<{ readonly session: Session; readonly user: ReturnType<typeof renderUser> }>;

export function createPasswordLogin(database: Database, limits: LoginLimits): PasswordLogin {
  /** Checked for unknown users, so that they take as long as known ones. */
  const unknownUserHash = hashPassword('unknown user');
  return async (call, start) => {
    const { username, password } = call.body;
    await limits.countRequest(call.clientIp);
    const user = await findUserToLogIn(database, username, call.clientIp);
    const knows = user?.knows_address === true;
    const mayTry = await limits.begin(username, call.clientIp, knows, user?.id);
    const right = await checkPassword(password, user?.password_hash ?? (await unknownUserHash));
    if (user === undefined || !right || !mayTry) {
      await recordAudit(database.kysely, failedLogin(call, user));
      throw new GatewayError('invalid_credentials');
    }
    const session = await start(user);
    await Promise.all([limits.uncountRequest(call.clientIp), limits.succeed(username, call.clientIp, user.id)]);
    const lastLogin = await saveLogin(database, user.id, call.clientIp);
    await noteLogin(database, call, user, 'auth.login');
    return { session, user: renderUser({ ...user, last_login_at: lastLogin }) };
  };
}

/** Writes down what a user did with their own login. */
export const noteLogin = (
  { kysely }: Database,
  call: AuditedCall,
  user: UserRow,
  event: 'auth.login' | 'auth.token.refresh' | 'auth.logout',
) => recordAudit(kysely, auditEntry({ ...call, caller: { kind: 'user', ...user } }, { event, ...userResource(user) }));

export const userResource = ({ id, username }: UserRow) => ({ resource: { type: 'user', id, name: username } });

/** Of an unknown user not even the name is kept: people type their password there. */
const failedLogin = (call: AuditedCall, user: UserRow | undefined) =>
  auditEntry(call, {
    event: 'auth.login.failed',
    action: 'login',
    result: 'failure',
    resource: user === undefined ? null : userResource(user).resource,
    error_message: user === undefined ? 'unknown user' : 'wrong password',
  });
