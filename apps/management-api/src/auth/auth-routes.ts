import { login, me, refreshToken, usersMe } from '@portcullis/contracts/routes/auth';
import type { Coordination } from '@portcullis/platform/coordination/coordination';
import type { Database } from '@portcullis/platform/database/database';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import { bind, type BoundRoute, type Call } from '@portcullis/platform/http/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { checkPassword, hashPassword } from '@portcullis/platform/security/password';
import { auditEntry, type AuditedCall } from '../audit/audited.ts';
import { loadUserOrThrow } from './identity.ts';
import { countLoginOrThrow } from './login-limits.ts';
import type { Tokens } from './tokens.ts';
import { findActiveUser, findUserToLogIn, renderUser, type UserRow } from './user-queries.ts';

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
    bind(login, async (call) => {
      const { username, password } = call.body;
      await countLoginOrThrow(coordination.buckets, call.clientIp, username);
      const user = await findUserToLogIn(database, username);
      const right = await checkPassword(password, user?.password_hash ?? (await nobodysHash));
      if (user === undefined || !right) {
        await recordAudit(database.kysely, failedLogin(call, user));
        throw new GatewayError('invalid_credentials');
      }
      await recordAudit(
        database.kysely,
        auditEntry({ ...call, caller: { kind: 'user', ...user } }, { event: 'auth.login', ...of(user) }),
      );
      return { data: { ...tokens.sign(user), user: renderUser(user) } };
    }),

    bind(refreshToken, async (call) => {
      const { bearer } = call;
      if (bearer === undefined) throw new GatewayError('unauthorized', { headers: { 'www-authenticate': 'Bearer' } });
      const user = await loadUserOrThrow(database, tokens.parseForRefreshOrThrow(bearer));
      await recordAudit(
        database.kysely,
        auditEntry({ ...call, caller: { kind: 'user', ...user } }, { event: 'auth.token.refresh', ...of(user) }),
      );
      return { data: tokens.sign(user) };
    }),

    bind(me, showCaller),
    bind(usersMe, showCaller),
  ];
}

const of = ({ id, username }: UserRow) => ({ resource: { type: 'user', id, name: username } });

/** Of a user that nobody knows not even the name is kept: people type their password there. */
const failedLogin = (call: AuditedCall, user: UserRow | undefined) =>
  auditEntry(call, {
    event: 'auth.login.failed',
    action: 'login',
    result: 'failure',
    resource: user === undefined ? null : of(user).resource,
    error_message: user === undefined ? 'unknown user' : 'wrong password',
  });
