import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { login } from '@portcullis/contracts/routes/auth';
import {
  createUser,
  deleteUser,
  getUser,
  listUsers,
  resetPassword,
  updateUser,
} from '@portcullis/contracts/routes/users';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

const password = 'a long enough password';

describe.each(stores)('users (%s)', (store) => {
  let management: TestManagement;
  beforeAll(async () => {
    management = await startManagement(store);
  });
  afterAll(() => management.stop());

  const create = (body: { username: string } & Record<string, unknown>) => management.admin.data(createUser, { body });
  const canLogIn = async (username: string, secret: string) =>
    (await management.anonymous.status(login, { body: { username, password: secret } })) === 200;

  test('are created with a password that is made up, shown once and to be changed', async () => {
    const { user, password: made } = await create({ username: 'grace' });
    expect(user).toEqual({
      id: expect.any(Number),
      username: 'grace',
      email: 'grace@localhost',
      role: 'viewer',
      active: true,
      must_change_password: true,
      last_login_at: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(made).toMatch(/^[A-Za-z0-9]{20}$/);
    expect(await canLogIn('Grace', made ?? '')).toBe(true);
    expect(await management.admin.data(getUser, { params: user })).toMatchObject({ last_login_at: expect.any(String) });
  });

  test('or with a given one', async () => {
    const body = { username: 'edsger', email: 'ed@example.com', role: 'operator', password };
    const created = await create(body);
    expect(created).toMatchObject({ password: null, user: { role: 'operator', must_change_password: false } });
    expect(await canLogIn('ED@example.com', password)).toBe(true);
  });

  test('are listed by role, state and text, in pages', async () => {
    for (const name of ['list-c', 'list-a', 'list-b']) await create({ username: name, role: 'operator' });
    const list = async (query: object) => {
      const { users, ...page } = await management.admin.data(listUsers, { query });
      return { names: users.map(({ username }) => username), ...page };
    };
    expect(await list({ search: 'LIST-' })).toEqual({
      names: ['list-a', 'list-b', 'list-c'],
      total: 3,
      limit: 50,
      offset: 0,
    });
    expect(await list({ search: 'list-', limit: 1, offset: 1 })).toEqual({
      names: ['list-b'],
      total: 3,
      limit: 1,
      offset: 1,
    });
    expect(await list({ search: 'list-', role: 'viewer' })).toMatchObject({ names: [], total: 0 });
    expect(await list({ search: 'list-', active: false })).toMatchObject({ total: 0 });
    expect(await management.admin.status(listUsers, { query: { limit: 0 } })).toBe(400);
    expect(await management.admin.status(listUsers, { query: { role: 'root' } })).toBe(400);
  });

  test('change in the given fields', async () => {
    const { user } = await create({ username: 'alan', password });
    const change = (body: object) => management.admin.data(updateUser, { params: user, body });
    expect(await change({ role: 'operator' })).toMatchObject({ role: 'operator', email: 'alan@localhost' });
    expect(await change({ email: 'alan@example.com' })).toMatchObject({ role: 'operator', email: 'alan@example.com' });
    expect(await change({ active: false })).toMatchObject({ active: false });
    expect(await canLogIn('alan', password)).toBe(false);
    expect(await change({ active: true })).toMatchObject({ active: true });
    expect(await canLogIn('alan', password)).toBe(true);
  });

  test('are refused with a taken name or address, in any case of letters', async () => {
    await create({ username: 'barbara', email: 'b@example.com' });
    const refusal = (body: object) => management.admin.refusal(createUser, { body });
    expect(await refusal({ username: 'Barbara' })).toMatchObject({
      status: 409,
      message: 'There is a user "Barbara" already',
    });
    expect(await refusal({ username: 'barbara2', email: 'B@example.com' })).toMatchObject({
      status: 409,
      message: 'There is a user with the e-mail address "B@example.com" already',
    });
    const { user } = await create({ username: 'barbara3' });
    expect(await management.admin.status(updateUser, { params: user, body: { email: 'b@example.com' } })).toBe(409);
  });

  test.each([
    [{}, '/body/username'],
    [{ username: 'no blanks' }, '/body/username'],
    [{ username: 'a@b' }, '/body/username'],
    [{ username: 'a', email: 'nowhere' }, '/body/email'],
    [{ username: 'a', role: 'root' }, '/body/role'],
    [{ username: 'a', password: 'short' }, '/body/password'],
    [{ username: 'a', password: 'x'.repeat(257) }, '/body/password'],
    [{ username: 'long.user.name', password: 'Long.User.Name' }, '/body/password'],
    [{ username: 'a', admin: true }, '/body/admin'],
  ])('are refused as %j, naming %s', async (body, path) => {
    const { status, problems } = await management.admin.refusal(createUser, { body });
    expect([status, problems?.map((problem) => problem.path)]).toEqual([400, [path]]);
  });

  test('get another password from an admin', async () => {
    const { user } = await create({ username: 'ken', password });
    const given = await management.admin.data(resetPassword, { params: user, body: { password: 'given by an admin' } });
    expect(given).toMatchObject({ password: null, user: { must_change_password: true } });
    expect(await canLogIn('ken', password)).toBe(false);
    expect(await canLogIn('ken', 'given by an admin')).toBe(true);
    const refused = { status: 400, problems: [{ path: '/body/password' }] };
    const body = { password: 'KEN@localhost' };
    expect(await management.admin.refusal(resetPassword, { params: user, body })).toMatchObject(refused);
  });

  test('that do not exist answer 404', async () => {
    const params = { id: 999_999 };
    expect(await management.admin.status(getUser, { params })).toBe(404);
    expect(await management.admin.status(updateUser, { params, body: { role: 'viewer' } })).toBe(404);
    expect(await management.admin.status(deleteUser, { params })).toBe(404);
    expect(await management.admin.status(resetPassword, { params, body: {} })).toBe(404);
    expect(await management.admin.status(getUser, { params: { id: 'x' } })).toBe(400);
  });

  describe('the last active admin', () => {
    const admins = async () =>
      (await management.admin.data(listUsers, { query: { role: 'admin', active: true } })).users;
    const refused = { status: 409, message: 'This is the last active admin; make another one first' };

    test('is not removed, demoted or deactivated', async () => {
      const [last] = await admins();
      const params = { id: last?.id };
      for (const body of [{ role: 'viewer' }, { active: false }]) {
        expect(await management.admin.refusal(updateUser, { params, body })).toMatchObject(refused);
      }
      expect(await management.admin.refusal(deleteUser, { params })).toMatchObject(refused);
      expect(await admins()).toEqual([last]);
    });

    test('is left when admins act on each other at once', async () => {
      const [first] = await admins();
      for (const act of [
        (client: typeof management.admin, id: number) =>
          client.status(updateUser, { params: { id }, body: { role: 'operator' } }),
        (client: typeof management.admin, id: number) => client.status(deleteUser, { params: { id } }),
        (client: typeof management.admin, id: number) =>
          client.status(updateUser, { params: { id }, body: { active: false } }),
      ]) {
        const { user: second } = await create({ username: `second-${Math.random()}`, role: 'admin', password });
        const { token } = await management.anonymous.data(login, { body: { username: second.username, password } });
        const statuses = await Promise.all([
          act(management.admin, second.id),
          act(management.anonymous.as(token), first?.id ?? 0),
        ]);
        expect(statuses.filter((status) => status === 200)).toHaveLength(1);
        // The loser was too late: as an admin no more (401, 403), or as the last one (409).
        expect([401, 403, 409]).toContain(statuses.find((status) => status !== 200));
        const { kysely } = management.infrastructure.database;
        const left = await kysely
          .selectFrom('users')
          .select('id')
          .where('role', '=', 'admin')
          .where('active', '=', true)
          .execute();
        expect(left).toHaveLength(1);
        if (left[0]?.id !== first?.id) break;
      }
    });
  });
});
