import { changePassword, login, logout, me, refreshToken, usersMe } from '@portcullis/contracts/routes/auth';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import type { Coordination } from '@portcullis/platform/coordination/coordination';
import type { Database } from '@portcullis/platform/database/database';
import { bind, type BoundRoute, type Caller } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { checkPassword, hashPassword } from '@portcullis/platform/security/password';
import { auditEntry } from '@portcullis/platform/audit/audited';
import { browserSessionRoutes } from './browser-session-routes.ts';
import { checkNewPasswordOrThrow, refusedPassword } from './check-new-password.ts';
import { loadCallerOrThrow } from './load-caller.ts';
import { createLoginLimits, type LoginLimits } from './login-limits.ts';
import { createPasswordLogin, noteLogin, userResource, type PasswordLogin } from './password-login.ts';
import { deleteSessionsOfUser } from '@portcullis/platform/identity/session-queries';
import type { Sessions } from '@portcullis/platform/identity/sessions';
import type { BrowserSessions } from '@portcullis/platform/identity/browser-sessions';
import { findUser, listGroupsOfUser, renderUser, savePasswordHash } from '@portcullis/platform/identity/user-queries';

export interface AuthParts {
  readonly database: Database;
  readonly coordination: Pick<Coordination, 'buckets' | 'attempts'>;
  readonly sessions: Sessions;
  readonly browserSessions: BrowserSessions;
}

interface RouteParts extends Omit<AuthParts, 'coordination'> {
  readonly limits: LoginLimits;
  readonly passwordLogin: PasswordLogin;
}

export function authRoutes({ coordination, ...given }: AuthParts): BoundRoute[] {
  const limits = createLoginLimits(coordination);
  const parts = { ...given, limits, passwordLogin: createPasswordLogin(given.database, limits) };
  return [
    ...[bindLogin, bindRefreshToken, bindLogout, bindChangePassword, bindMe, bindUsersMe].map((bindRoute) =>
      bindRoute(parts),
    ),
    ...browserSessionRoutes(parts),
  ];
}

const bindLogin = ({ passwordLogin, sessions }: RouteParts): BoundRoute =>
  bind(login, async (call) => {
    const { session, user } = await passwordLogin(call, (known) => sessions.start(known, call));
    const { tokenId: _tokenId, ...token } = session;
    return { data: { ...token, user } };
  });

const bindRefreshToken = ({ database, sessions }: RouteParts): BoundRoute =>
  bind(refreshToken, async (call) => {
    const { user, token, expires_at } = await sessions.refresh(bearerOrThrow(call.bearer), call);
    await noteLogin(database, call, user, 'auth.token.refresh');
    return { data: { token, expires_at } };
  });

const bindLogout = ({ database, sessions, browserSessions }: RouteParts): BoundRoute =>
  bind(logout, async (call) => {
    const { bearer, browser } = call;
    const login = bearer === undefined ? await browserSessions.identify(browser, call) : undefined;
    const userId = login === undefined ? (await sessions.end(bearerOrThrow(bearer))).userId : login.caller.id;
    if (login !== undefined) await sessions.endById(userId, login.sessionId);
    const user = await findUser(database, userId);
    if (user !== undefined) await noteLogin(database, call, user, 'auth.logout');
    const answer = { message: 'Logged out' };
    return login === undefined ? answer : { ...answer, headers: { 'set-cookie': browserSessions.renderEnd(browser) } };
  });

const bindChangePassword = ({ database, limits, sessions, browserSessions }: RouteParts): BoundRoute =>
  bind(changePassword, async (call) => {
    const { body, clientIp } = call;
    const user = await loadCallerOrThrow(database, call.caller);
    // Who is signed in is no stranger; a stolen token must not be a way to guess all the same.
    if (!(await limits.begin(user.username, clientIp, true, user.id))) throw new GatewayError('too_many_requests');
    if (!(await checkPassword(body.current_password, user.password_hash))) {
      const wrong = { result: 'failure', error_message: 'wrong password' } as const;
      await recordAudit(
        database.kysely,
        auditEntry(call, { event: 'auth.password.change', ...userResource(user), ...wrong }),
      );
      throw new GatewayError('wrong_password');
    }
    checkNewPasswordOrThrow(body.new_password, user, '/body/new_password');
    if (body.new_password === body.current_password) {
      throw refusedPassword('/body/new_password', 'must differ from the current password');
    }
    await limits.succeed(user.username, clientIp, user.id);
    const own = call.caller?.kind === 'user' ? call.caller.session : undefined;
    const sessionId = own?.id;
    const hash = await hashPassword(body.new_password);
    await database.kysely.transaction().execute(async (transaction) => {
      await savePasswordHash({ kysely: transaction }, user.id, hash, false);
      await deleteSessionsOfUser({ kysely: transaction }, user.id, sessionId);
      await recordAudit(transaction, auditEntry(call, { event: 'auth.password.change', ...userResource(user) }));
    });
    await sessions.announceEnd({ userId: user.id, but: sessionId });
    const setCookie = own?.kind === 'cookie' ? await browserSessions.renew(call.browser) : undefined;
    return {
      message: 'Password changed; your other sessions have ended',
      ...(setCookie !== undefined && { headers: { 'set-cookie': setCookie } }),
    };
  });

const bindMe = ({ database }: RouteParts): BoundRoute => bind(me, showCaller(database));

const bindUsersMe = ({ database }: RouteParts): BoundRoute => bind(usersMe, showCaller(database));

const showCaller =
  (database: Database) =>
  async ({ caller }: { readonly caller: Caller | undefined }) => {
    const user = await loadCallerOrThrow(database, caller);
    return { data: { ...renderUser(user), groups: await listGroupsOfUser(database, user.id) } };
  };

function bearerOrThrow(bearer: string | undefined): string {
  if (bearer === undefined) throw new GatewayError('unauthorized', { headers: { 'www-authenticate': 'Bearer' } });
  return bearer;
}
