import {
  createUser,
  deleteUser,
  getUser,
  listUsers,
  resetPassword,
  updateUser,
} from '@portcullis/contracts/routes/users';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import type { Database } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { violatedConstraint } from '@portcullis/platform/database/violated-constraint';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { hashPassword } from '@portcullis/platform/security/password';
import { auditEntry } from '@portcullis/platform/audit/audited';
import { checkNewPasswordOrThrow, inventPassword } from '../auth/check-new-password.ts';
import { deleteSessionsOfUser } from '@portcullis/platform/identity/session-queries';
import type { Sessions } from '@portcullis/platform/identity/sessions';
import {
  findUser,
  localEmail,
  renderUser,
  savePasswordHash,
  type UserRow,
} from '@portcullis/platform/identity/user-queries';
import { announceChange, changeUser, unknownUser } from './change-user.ts';
import { guardLastAdmin } from './guard-last-admin.ts';
import { deleteUserRow, insertUser, listUserRows } from './user-admin-queries.ts';

interface UserParts {
  readonly database: Database;
  readonly sessions: Sessions;
}

export const userRoutes = (parts: UserParts): BoundRoute[] =>
  [bindListUsers, bindCreateUser, bindGetUser, bindUpdateUser, bindDeleteUser, bindResetPassword].map((bindRoute) =>
    bindRoute(parts),
  );

const bindListUsers = ({ database }: UserParts): BoundRoute =>
  bind(listUsers, async ({ query }) => {
    const { rows, total } = await readConsistent(database, (moment) => listUserRows(moment, query));
    return { data: { users: rows.map(renderUser), total, limit: query.limit, offset: query.offset } };
  });

const bindCreateUser = ({ database }: UserParts): BoundRoute =>
  bind(createUser, async (call) => {
    const { body } = call;
    const { password: given, username, email = localEmail(username), role = 'viewer', active = true } = body;
    if (given !== undefined) checkNewPasswordOrThrow(given, { username, email }, '/body/password');
    const password = given ?? inventPassword();
    const mustChange = body.must_change_password ?? given === undefined;
    const passwordHash = await hashPassword(password);
    const row = await database.kysely
      .transaction()
      .execute(async (transaction) => {
        const columns = { username, email, role, active, must_change_password: mustChange };
        const row = await insertUser({ kysely: transaction }, { ...columns, password_hash: passwordHash });
        await recordAudit(transaction, auditEntry(call, { event: 'user.created', ...of(row), after: renderUser(row) }));
        return row;
      })
      .catch((error: unknown) => refuseTakenUser(error, username, email));
    return {
      data: { user: renderUser(row), password: given === undefined ? password : null },
      message: 'User created',
    };
  });

const bindGetUser = ({ database }: UserParts): BoundRoute =>
  bind(getUser, async ({ params }) => {
    const row = await findUser(database, params.id);
    if (row === undefined) throw unknownUser(params.id);
    return { data: renderUser(row) };
  });

const bindUpdateUser = ({ database, sessions }: UserParts): BoundRoute =>
  bind(updateUser, async (call) => {
    const { params, body } = call;
    const changed = await guardLastAdmin(database, (transaction) =>
      changeUser(transaction, call, params.id, body),
    ).catch((error: unknown) => refuseTakenUser(error, '', body.email ?? ''));
    await announceChange(sessions, changed);
    return { data: renderUser(changed.after), message: 'User updated' };
  });

const bindDeleteUser = ({ database, sessions }: UserParts): BoundRoute =>
  bind(deleteUser, async (call) => {
    const { params } = call;
    await guardLastAdmin(database, async (transaction) => {
      const row = await deleteUserRow({ kysely: transaction }, params.id);
      if (row === undefined) throw unknownUser(params.id);
      await recordAudit(transaction, auditEntry(call, { event: 'user.deleted', ...of(row), before: renderUser(row) }));
    });
    await sessions.announceEnd({ userId: params.id });
    return { message: 'User deleted' };
  });

const bindResetPassword = ({ database, sessions }: UserParts): BoundRoute =>
  bind(resetPassword, async (call) => {
    const { params, body } = call;
    const given = body.password;
    const user = await findUser(database, params.id);
    if (user === undefined) throw unknownUser(params.id);
    if (given !== undefined) checkNewPasswordOrThrow(given, user, '/body/password');
    const password = given ?? inventPassword();
    const hash = await hashPassword(password);
    const row = await database.kysely.transaction().execute(async (transaction) => {
      const row = await savePasswordHash({ kysely: transaction }, params.id, hash, true);
      await deleteSessionsOfUser({ kysely: transaction }, params.id);
      await recordAudit(transaction, auditEntry(call, { event: 'auth.password.reset', ...of(user) }));
      return row;
    });
    if (row === undefined) throw unknownUser(params.id);
    await sessions.announceEnd({ userId: params.id });
    const message = 'Password reset; the user must change it at the next login';
    return { data: { user: renderUser(row), password: given === undefined ? password : null }, message };
  });

const of = ({ id, username }: UserRow) => ({ resource: { type: 'user', id, name: username } });

function refuseTakenUser(error: unknown, username: string, email: string): never {
  const taken = violatedConstraint(error, 'unique');
  if (taken === undefined) throw error;
  const message = taken.startsWith('users_email')
    ? `There is a user with the e-mail address ${JSON.stringify(email)} already`
    : `There is a user ${JSON.stringify(username)} already`;
  throw new GatewayError('conflict', { message });
}
