import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { changePassword, login, logout, me, refreshToken } from '@portcullis/contracts/routes/auth';
import { listProxies } from '@portcullis/contracts/routes/proxies';
import { createUser, deleteUser, resetPassword, updateUser } from '@portcullis/contracts/routes/users';
import { sql } from 'kysely';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

const password = 'a long enough password';
const refused = { status: 401, error: 'Invalid or expired token' };

describe.each(stores)('a login (%s)', (store) => {
  let management: TestManagement;
  beforeAll(async () => {
    management = await startManagement(store);
  });
  afterAll(() => management.stop());

  let counter = 0;
  const createViewer = async () => {
    counter += 1;
    const body = { username: `user-${counter}`, password };
    return (await management.admin.data(createUser, { body })).user;
  };
  const logIn = async (username: string, secret = password) =>
    (await management.anonymous.data(login, { body: { username, password: secret } })).token;
  const as = (token: string) => management.anonymous.as(token);
  const newLogin = async () => {
    const user = await createViewer();
    return { user, token: await logIn(user.username) };
  };
  const age = (column: string, by: string, userId: number) =>
    sql`update login_sessions set ${sql.ref(column)} = ${sql.ref(column)} - ${by}::interval where user_id = ${userId}`.execute(
      management.infrastructure.database.kysely,
    );
  /** A connection to `/ws`, and the promise of its close code. */
  const listen = async (token: string) => {
    const socket = new WebSocket(`${management.origin.replace('http', 'ws')}/ws?token=${token}`);
    const closed = once(socket, 'close').then(([code]) => code as number);
    await once(socket, 'open');
    return { closed, socket };
  };

  test('ends with a logout, at once, for REST and for /ws, and no other login with it', async () => {
    const { user, token } = await newLogin();
    const other = await logIn(user.username);
    const [connection, otherConnection] = [await listen(token), await listen(other)];
    expect(await as(token).status(logout)).toBe(200);
    expect(await connection.closed).toBe(1008);
    expect(await as(token).refusal(me)).toMatchObject(refused);
    expect(await as(token).refusal(refreshToken)).toMatchObject(refused);
    expect(await as(other).status(me)).toBe(200);
    expect(otherConnection.socket.readyState).toBe(WebSocket.OPEN);
    otherConnection.socket.terminate();
    expect(await management.anonymous.status(logout)).toBe(401);
  });

  test('goes on with a fresh token, and the old one is nothing from then on', async () => {
    const { token } = await newLogin();
    const fresh = (await as(token).data(refreshToken)).token;
    expect(await as(fresh).status(me)).toBe(200);
    expect(await as(token).refusal(me)).toMatchObject(refused);
  });

  test('survives two refreshes of one token at once, of which one gets a token', async () => {
    const { token } = await newLogin();
    const answers = await Promise.all([1, 2, 3].map(() => as(token).status(refreshToken)));
    expect(answers.toSorted((a, b) => a - b)).toEqual([200, 401, 401]);
  });

  test('ends when an old token is exchanged again: one of the two was stolen', async () => {
    const { user, token } = await newLogin();
    const thief = (await as(token).data(refreshToken)).token;
    await age('refreshed_at', '1 minute', user.id);
    expect(await as(token).refusal(refreshToken)).toMatchObject(refused);
    expect(await as(thief).refusal(me)).toMatchObject(refused);
  });

  test('cannot be refreshed when its token is too old, nor for ever', async () => {
    const { user, token } = await newLogin();
    await age('expires_at', '8 days', user.id);
    expect(await as(token).refusal(refreshToken)).toMatchObject(refused);

    const lasting = await newLogin();
    await age('ends_at', '29 days 23 hours', lasting.user.id);
    const { token: last, expires_at: end } = await as(lasting.token).data(refreshToken);
    expect(Date.parse(end) - Date.now()).toBeLessThan(3_601_000);
    await age('expires_at', '2 hours', lasting.user.id);
    expect(await as(last).refusal(refreshToken)).toMatchObject(refused);
    // A row goes with the next login after its end.
    await logIn(user.username);
    const { rows } = await sql`select 1 from login_sessions where expires_at < now()`.execute(
      management.infrastructure.database.kysely,
    );
    expect(rows).toEqual([]);
  });

  test.each([
    ['deactivation', (id: number) => management.admin.status(updateUser, { params: { id }, body: { active: false } })],
    ['a reset of the password', (id: number) => management.admin.status(resetPassword, { params: { id }, body: {} })],
    ['deletion', (id: number) => management.admin.status(deleteUser, { params: { id } })],
  ])('ends with %s of the user, at once', async (_name, act) => {
    const { user, token } = await newLogin();
    const connection = await listen(token);
    expect(await act(user.id)).toBe(200);
    expect(await connection.closed).toBe(1008);
    expect(await as(token).refusal(me)).toMatchObject(refused);
    await management.admin.status(updateUser, { params: user, body: { active: true } });
    expect(await as(token).refusal(me)).toMatchObject(refused);
  });

  test('has the role that the user has now', async () => {
    const { user, token } = await newLogin();
    const connection = await listen(token);
    await management.admin.data(updateUser, { params: user, body: { role: 'operator' } });
    expect(await connection.closed).toBe(1008);
    expect(await as(token).data(me)).toMatchObject({ role: 'operator' });
  });

  test('changes its own password, which ends the other logins', async () => {
    const { user, token } = await newLogin();
    const other = await logIn(user.username);
    const connection = await listen(other);
    const change = (current: string, next: string) =>
      as(token).refusal(changePassword, { body: { current_password: current, new_password: next } });
    expect(await change('wrong', 'another long password')).toMatchObject({
      status: 400,
      error: 'The current password is not right',
    });
    for (const [next, rule] of [
      ['short', 'must have at least 12 characters'],
      [password, 'must differ from the current password'],
      [`${user.username}@LOCALHOST`, 'must not be the username or the e-mail address'],
      ['aaaaaaaaaaaaaaa', 'must have at least 4 different characters'],
    ] as const) {
      expect(await change(password, next)).toMatchObject({ problems: [{ path: '/body/new_password', rule }] });
    }
    const body = { current_password: password, new_password: 'another long password' };
    expect(await as(token).status(changePassword, { body })).toBe(200);
    expect(await connection.closed).toBe(1008);
    expect(await as(token).status(me)).toBe(200);
    expect(await as(other).refusal(me)).toMatchObject(refused);
    expect(await management.anonymous.status(login, { body: { username: user.username, password } })).toBe(401);
    expect(await as(await logIn(user.username, body.new_password)).status(me)).toBe(200);
  });

  test('with a reset password opens nothing but the change of the password', async () => {
    const { user } = await newLogin();
    const { password: made } = await management.admin.data(resetPassword, { params: user, body: {} });
    expect(made).toMatch(/^[A-Za-z0-9]{20}$/);
    const token = await logIn(user.username, made ?? '');
    expect(await as(token).data(me)).toMatchObject({ must_change_password: true });
    expect(await as(token).refusal(listProxies)).toMatchObject({ status: 403, error: 'Change your password first' });
    const socket = new WebSocket(`${management.origin.replace('http', 'ws')}/ws?token=${token}`);
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
    expect(response.statusCode).toBe(403);
    socket.on('error', () => undefined).terminate();
    const body = { current_password: made ?? '', new_password: password };
    expect(await as(token).status(changePassword, { body })).toBe(200);
    expect(await as(token).status(listProxies)).toBe(200);
  });
});
