import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { changePassword, login, logout, refreshToken } from '@portcullis/contracts/routes/auth';
import { addGroupMember, removeGroupMember } from '@portcullis/contracts/routes/group-members';
import { createUserGroup } from '@portcullis/contracts/routes/user-groups';
import { createUser, deleteUser, resetPassword, updateUser } from '@portcullis/contracts/routes/users';
import { startManagement, type TestManagement } from '../../test/start-management.ts';

let management: TestManagement;
beforeAll(async () => {
  management = await startManagement('embedded');
});
afterAll(() => management.stop());

const password = 'a long enough password';
const nextPassword = 'another long password';

test('everything that happens to a user is in the audit log, and no password is', async () => {
  const { admin, anonymous } = management;
  const { user } = await admin.data(createUser, { body: { username: 'grace', password } });
  const params = { id: user.id };
  const group = await admin.data(createUserGroup, { body: { name: 'crew' } });
  const membership = { id: group.id, userId: user.id };
  await admin.status(addGroupMember, { params: membership });
  await admin.status(addGroupMember, { params: membership });
  await admin.status(removeGroupMember, { params: membership });

  const first = await anonymous.data(login, { body: { username: 'grace', password } });
  const { token } = await anonymous.as(first.token).data(refreshToken);
  const change = (current: string) =>
    anonymous.as(token).status(changePassword, { body: { current_password: current, new_password: nextPassword } });
  expect([await change('wrong'), await change(password)]).toEqual([400, 200]);
  await anonymous.as(token).status(logout);

  for (const body of [{ role: 'operator' }, { active: false }, { active: true }, { email: 'g@example.com' }] as const) {
    await admin.data(updateUser, { params, body });
  }
  await admin.data(resetPassword, { params, body: { password: nextPassword } });
  await admin.status(deleteUser, { params });

  const rows = await management.infrastructure.database.kysely
    .selectFrom('audit_log')
    .selectAll()
    .where('id', '>', 1)
    .orderBy('id')
    .execute();
  const ofGrace = rows.filter(({ event_type: type }) => type !== 'usergroup.created');
  expect(ofGrace.map((row) => [row.event_type, row.actor_name, row.result])).toEqual([
    ['user.created', 'admin', 'success'],
    ['usergroup.member.added', 'admin', 'success'],
    ['usergroup.member.removed', 'admin', 'success'],
    ['auth.login', 'grace', 'success'],
    ['auth.token.refresh', 'grace', 'success'],
    ['auth.password.change', 'grace', 'failure'],
    ['auth.password.change', 'grace', 'success'],
    ['auth.logout', 'grace', 'success'],
    ['user.role.changed', 'admin', 'success'],
    ['user.deactivated', 'admin', 'success'],
    ['user.activated', 'admin', 'success'],
    ['user.updated', 'admin', 'success'],
    ['auth.password.reset', 'admin', 'success'],
    ['user.deleted', 'admin', 'success'],
  ]);
  const text = JSON.stringify(rows);
  for (const secret of [password, nextPassword, token]) expect(text).not.toContain(secret);
});
