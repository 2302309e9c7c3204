import { changePassword, login, logout, me, refreshToken, usersMe } from '@portcullis/contracts/routes/auth';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import type { Coordination } from '@portcullis/platform/coordination/coordination';
import type { Database } from '@portcullis/platform/database/database';
import { bind, type BoundRoute, type Caller } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { checkPassword, hashPassword } from '@portcullis/platform/security/password';
import { auditEntry, type AuditedCall } from '@portcullis/platform/audit/audited';
import { checkNewPasswordOrThrow, refusedPassword } from './check-new-password.ts';
import { createLoginLimits, type LoginLimits } from './login-limits.ts';
import { deleteSessionsOfUser } from '@portcullis/platform/identity/session-queries';
import type { Sessions } from '@portcullis/platform/identity/sessions';
import { invalidToken, type Tokens } from '@portcullis/platform/identity/tokens';
import {
  findUser,
  findUserToLogIn,
  findUserWithHash,
  listGroupsOfUser,
  saveLogin,
  renderUser,
  savePasswordHash,
  type UserRow,
} from '@portcullis/platform/identity/user-queries';

export interface AuthParts {
  readonly database: Database;
  readonly coordination: Pick<Coordination, 'buckets' | 'attempts'>;
  readonly tokens: Tokens;
  readonly sessions: Sessions;
}

interface RouteParts extends Pick<AuthParts, 'database' | 'tokens' | 'sessions'> {
  readonly limits: LoginLimits;
  /** Checked for unknown users, so that they take as long as known ones. */
  readonly unknownUserHash: Promise<string>;
}

export function authRoutes({ database, coordination, tokens, sessions }: AuthParts): BoundRoute[] {
  const parts = {
    database,
    tokens,
    sessions,
    limits: createLoginLimits(coordination),
    unknownUserHash: hashPassword('unknown user'),
  };
  return [bindLogin, bindRefreshToken, bindLogout, bindChangePassword, bindMe, bindUsersMe].map((bindRoute) =>
    bindRoute(parts),
  );
}

const bindLogin = ({ database, limits, unknownUserHash, sessions }: RouteParts): BoundRoute =>
  bind(login, async (call) => {
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
    const { tokenId: _tokenId, ...token } = await sessions.start(user, call);
    await Promise.all([limits.uncountRequest(call.clientIp), limits.succeed(username, call.clientIp, user.id)]);
    const lastLogin = await saveLogin(database, user.id, call.clientIp);
    await note(database, call, user, 'auth.login');
    return { data: { ...token, user: renderUser({ ...user, last_login_at: lastLogin }) } };
  });

const bindRefreshToken = ({ database, sessions }: RouteParts): BoundRoute =>
  bind(refreshToken, async (call) => {
    const { user, token, expires_at } = await sessions.refresh(bearerOrThrow(call.bearer), call);
    await note(database, call, user, 'auth.token.refresh');
    return { data: { token, expires_at } };
  });

const bindLogout = ({ database, sessions }: RouteParts): BoundRoute =>
  bind(logout, async (call) => {
    const { userId } = await sessions.end(bearerOrThrow(call.bearer));
    const user = await findUser(database, userId);
    if (user !== undefined) await note(database, call, user, 'auth.logout');
    return { message: 'Logged out' };
  });

const bindChangePassword = ({ database, limits, tokens, sessions }: RouteParts): BoundRoute =>
  bind(changePassword, async (call) => {
    const { body, clientIp } = call;
    const user = await loadCallerOrThrow(database, call.caller);
    // Who is signed in is no stranger; a stolen token must not be a way to guess all the same.
    if (!(await limits.begin(user.username, clientIp, true, user.id))) throw new GatewayError('too_many_requests');
    if (!(await checkPassword(body.current_password, user.password_hash))) {
      const wrong = { result: 'failure', error_message: 'wrong password' } as const;
      await recordAudit(database.kysely, auditEntry(call, { event: 'auth.password.change', ...of(user), ...wrong }));
      throw new GatewayError('wrong_password');
    }
    checkNewPasswordOrThrow(body.new_password, user, '/body/new_password');
    if (body.new_password === body.current_password) {
      throw refusedPassword('/body/new_password', 'must differ from the current password');
    }
    await limits.succeed(user.username, clientIp, user.id);
    const { sessionId } = tokens.parseOrThrow(bearerOrThrow(call.bearer));
    const hash = await hashPassword(body.new_password);
    await database.kysely.transaction().execute(async (transaction) => {
      await savePasswordHash({ kysely: transaction }, user.id, hash, false);
      await deleteSessionsOfUser({ kysely: transaction }, user.id, sessionId);
      await recordAudit(transaction, auditEntry(call, { event: 'auth.password.change', ...of(user) }));
    });
    await sessions.announceEnd({ userId: user.id, but: sessionId });
    return { message: 'Password changed; your other sessions have ended' };
  });

const bindMe = ({ database }: RouteParts): BoundRoute => bind(me, showCaller(database));

const bindUsersMe = ({ database }: RouteParts): BoundRoute => bind(usersMe, showCaller(database));

const showCaller =
  (database: Database) =>
  async ({ caller }: { readonly caller: Caller | undefined }) => {
    const user = await loadCallerOrThrow(database, caller);
    return { data: { ...renderUser(user), groups: await listGroupsOfUser(database, user.id) } };
  };

/** Writes down what a user did with their own login. */
const note = (
  { kysely }: Database,
  call: AuditedCall,
  user: UserRow,
  event: 'auth.login' | 'auth.token.refresh' | 'auth.logout',
) => recordAudit(kysely, auditEntry({ ...call, caller: { kind: 'user', ...user } }, { event, ...of(user) }));

async function loadCallerOrThrow(database: Database, caller: Caller | undefined) {
  const user = caller?.kind === 'user' ? await findUserWithHash(database, caller.id) : undefined;
  if (user === undefined) throw invalidToken();
  return user;
}

function bearerOrThrow(bearer: string | undefined): string {
  if (bearer === undefined) throw new GatewayError('unauthorized', { headers: { 'www-authenticate': 'Bearer' } });
  return bearer;
}

const of = ({ id, username }: UserRow) => ({ resource: { type: 'user', id, name: username } });

/** Of an unknown user not even the name is kept: people type their password there. */
const failedLogin = (call: AuditedCall, user: UserRow | undefined) =>
  auditEntry(call, {
    event: 'auth.login.failed',
    action: 'login',
    result: 'failure',
    resource: user === undefined ? null : of(user).resource,
    error_message: user === undefined ? 'unknown user' : 'wrong password',
  });
