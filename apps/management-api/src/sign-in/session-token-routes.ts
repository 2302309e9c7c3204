import { endSession, getOAuthHealth, refreshSession, validateSession } from '@portcullis/contracts/routes/oauth-login';
import type { Database } from '@portcullis/platform/database/database';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { Identity } from '@portcullis/platform/identity/identity';
import type { Sessions } from '@portcullis/platform/identity/sessions';
import { findUser } from '@portcullis/platform/identity/user-queries';
import type { RequestLimit } from '@portcullis/platform/oauth/request-limit';
import { noteLogin } from '../auth/password-login.ts';
import type { SignIn } from './sign-in.ts';

interface Parts {
  readonly database: Database;
  readonly identity: Identity;
  readonly sessions: Sessions;
  readonly limits: RequestLimit;
  readonly signIn: SignIn;
}

/** What `/auth/refresh` and `/auth/logout` do, for clients that send the token in the body. */
export const sessionTokenRoutes = (parts: Parts): BoundRoute[] =>
  [bindValidate, bindRefresh, bindEnd, bindHealth].map((bindRoute) => bindRoute(parts));

const nothing = { valid: false, user_identity: null, user_email: null, user_name: null, expires_at: null };

const bindValidate = ({ database, identity, limits }: Parts): BoundRoute =>
  bind(validateSession, async ({ body, clientIp }) => {
    await limits.countRequest(clientIp);
    const login = await identity.identifyOrThrow(body.session_token).catch(ignoreInvalid);
    const user = login && (await findUser(database, login.caller.id));
    if (login === undefined || user === undefined) return { data: nothing };
    return {
      data: {
        valid: true,
        user_identity: user.username,
        user_email: user.email,
        user_name: user.username,
        expires_at: new Date(login.expiresAtMs).toISOString(),
      },
    };
  });

const bindRefresh = ({ database, sessions, limits }: Parts): BoundRoute =>
  bind(refreshSession, async (call) => {
    await limits.countRequest(call.clientIp);
    const { user, token, expires_at } = await sessions.refresh(call.body.session_token, call);
    await noteLogin(database, call, user, 'auth.token.refresh');
    return { data: { session_token: token, expires_at } };
  });

const bindEnd = ({ database, sessions, limits }: Parts): BoundRoute =>
  bind(endSession, async (call) => {
    await limits.countRequest(call.clientIp);
    const { userId } = await sessions.end(call.body.session_token);
    const user = await findUser(database, userId);
    if (user !== undefined) await noteLogin(database, call, user, 'auth.logout');
    return { message: 'Logged out' };
  });

const bindHealth = ({ signIn, limits }: Parts): BoundRoute =>
  bind(getOAuthHealth, async ({ clientIp }) => {
    await limits.countRequest(clientIp);
    const { length: providers } = await signIn.names();
    const status: 'ready' | 'unconfigured' = providers === 0 ? 'unconfigured' : 'ready';
    return { data: { status, providers } };
  });

/** A token that does not count is an answer here. */
function ignoreInvalid(error: unknown): undefined {
  if (!(error instanceof GatewayError && error.reason === 'invalid_token')) throw error;
}
