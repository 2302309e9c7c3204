import { login, me, refreshToken, usersMe } from '@portcullis/contracts/routes/auth';
import type { Coordination } from '@portcullis/platform/coordination/coordination';
import type { Database } from '@portcullis/platform/database/database';
import { bind, type BoundRoute, type Call } from '@portcullis/platform/http/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { checkPassword, hashPassword } from '@portcullis/platform/security/password';
import { loadUserOrThrow } from './identity.ts';
import { countLoginOrThrow } from './login-limits.ts';
import type { Tokens } from './tokens.ts';
import { findActiveUser, findUserToLogIn, renderUser } from './user-queries.ts';

interface AuthParts {
  readonly database: Database;
  readonly coordination: Pick<Coordination, 'buckets'>;
  readonly tokens: Tokens;
}

export function authRoutes({ database, coordination, tokens }: AuthParts): BoundRoute[] {
  /** Checked for unknown users, so that they take as long as known ones. */
  const nobodysHash = hashPassword('nobody');

  const showCaller = async ({ caller }: Pick<Call<typeof me.parts>, 'caller'>) => {
    const user = caller && (await findActiveUser(database, caller.id));
    if (user === undefined) throw new GatewayError('invalid_token');
    return { data: renderUser(user) };
  };

  return [
    bind(login, async ({ body: { username, password }, clientIp }) => {
      await countLoginOrThrow(coordination.buckets, clientIp, username);
      const user = await findUserToLogIn(database, username);
      const right = await checkPassword(password, user?.password_hash ?? (await nobodysHash));
      if (user === undefined || !right) throw new GatewayError('invalid_credentials');
      return { data: { ...tokens.sign(user), user: renderUser(user) } };
    }),

    bind(refreshToken, async ({ bearer }) => {
      if (bearer === undefined) throw new GatewayError('unauthorized', { headers: { 'www-authenticate': 'Bearer' } });
      const user = await loadUserOrThrow(database, tokens.parseForRefreshOrThrow(bearer));
      return { data: tokens.sign(user) };
    }),

    bind(me, showCaller),
    bind(usersMe, showCaller),
  ];
}
