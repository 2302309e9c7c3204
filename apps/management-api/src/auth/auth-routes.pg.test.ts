import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { login, me, refreshToken, usersMe } from '@portcullis/contracts/routes/auth';
import { Secret } from '@portcullis/platform/config/secret';
import { waitFor } from '@portcullis/testkit/wait-for';
import { adminPassword, startManagement, stores, type TestManagement } from '../../test/start-management.ts';
import { createFirstAdmin } from './first-admin.ts';
import { createLogger } from '@portcullis/platform/log/logger';
import { createLoginLimits } from './login-limits.ts';

describe.each(stores)('signing in (%s)', (store) => {
  let management: TestManagement;
  beforeAll(async () => {
    management = await startManagement(store, { ADMIN_USERNAME: 'ada' });
  });
  afterAll(() => management.stop());
  const logIn = (username: string, password: string) =>
    management.anonymous.refusal(login, { body: { username, password } });

  test('answers a token, its end and the user', async () => {
    const answer = await management.anonymous.data(login, { body: { username: 'ada', password: adminPassword } });
    expect(answer.user).toMatchObject({ username: 'ada', email: 'ada@localhost', role: 'admin' });
    const hours = (Date.parse(answer.expires_at) - Date.now()) / 3_600_000;
    expect(Math.round(hours)).toBe(24);
    expect(await management.anonymous.as(answer.token).data(me)).toEqual({ ...answer.user, groups: [] });
    expect(await management.anonymous.as(answer.token).data(usersMe)).toEqual({ ...answer.user, groups: [] });
  });

  test('works with the e-mail address too', async () => {
    const answer = await management.anonymous.data(login, {
      body: { username: 'ada@localhost', password: adminPassword },
    });
    expect(answer.user.username).toBe('ada');
  });

  test('is refused alike for a wrong password and for an unknown user', async () => {
    const wrong = await logIn('ada', 'wrong');
    expect(wrong).toEqual({
      status: 401,
      success: false,
      error: 'Invalid username or password',
      error_code: 'UNAUTHORIZED',
    });
    expect(await logIn('unknown', 'wrong')).toEqual(wrong);
  });

  describe('is slowed down', () => {
    const guess = (name: string, times: number) =>
      Promise.all(Array.from({ length: times }, () => logIn(name, 'wrong')));

    test('per user and address, and says for how long', async () => {
      const body = JSON.stringify({ username: 'guessed', password: 'wrong' });
      const headers = { 'content-type': 'application/json' };
      const send = () => fetch(`${management.origin}/api/v1/auth/login`, { method: 'POST', headers, body });
      const answers = await Promise.all(Array.from({ length: 15 }, send));
      const limited = answers.filter(({ status }) => status === 429);
      // On a machine so slow that the first wait passes meanwhile, one more comes through.
      expect(answers.length - limited.length).toBeGreaterThanOrEqual(10);
      expect(await limited[0]?.json()).toMatchObject({ error_code: 'RATE_LIMIT_EXCEEDED' });
      expect(limited[0]?.headers.get('retry-after')).toMatch(/^[12]$/);
      // Others from the same address are not.
      expect((await logIn('another-user', 'wrong')).status).toBe(401);
    });

    test('until the password is right, which starts the count anew', async () => {
      for (const _ of [1, 2]) {
        await guess('ada', 7);
        const body = { username: 'ada', password: adminPassword };
        expect(await management.anonymous.status(login, { body })).toBe(200);
      }
    });

    test('by logins of the same address that fail, and not by correct ones', async () => {
      const limits = createLoginLimits(management.infrastructure.coordination);
      const address = '198.51.100.9';
      for (let times = 0; times < 80; times += 1) {
        await limits.countRequest(address);
        await limits.uncountRequest(address);
      }
      const failed = Array.from({ length: 80 }, () => limits.countRequest(address));
      const passed = (await Promise.allSettled(failed)).filter(({ status }) => status === 'fulfilled').length;
      expect(passed).toBeGreaterThanOrEqual(60);
      expect(passed).toBeLessThan(80);
    });

    test('for all names of an account together, with the answer of a wrong password', async () => {
      const { coordination, database } = management.infrastructure;
      const limits = createLoginLimits(coordination);
      const right = { username: 'ada@localhost', password: adminPassword };
      expect(await management.anonymous.status(login, { body: right })).toBe(200);
      const { id } = await database.kysely
        .selectFrom('users')
        .select('id')
        .where('username', '=', 'ada')
        .executeTakeFirstOrThrow();
      const outcomes = await Promise.all([
        ...Array.from({ length: 10 }, () => limits.begin('ada', '127.0.0.1', true, id)),
        ...Array.from({ length: 5 }, () => limits.begin('Ada@localhost', '127.0.0.1', true, id)),
      ]);
      expect(outcomes.filter(Boolean)).toHaveLength(12);
      // Neither which names belong together nor whether the password was right is told.
      expect(await logIn(right.username, right.password)).toEqual(await logIn('unknown@localhost', 'wrong'));
      await limits.succeed('ada', '127.0.0.1', id);
      expect(await management.anonymous.status(login, { body: right })).toBe(200);
    });

    test('by guesses from elsewhere only where the user never was', async () => {
      const limits = createLoginLimits(management.infrastructure.coordination);
      const from = (address: string, known: boolean) =>
        limits.begin('victim', address, known).then(
          () => 'passes',
          ({ reason }: { reason: unknown }) => reason,
        );
      let machines = 0;
      const another = () => from(`10.0.0.${(machines += 1)}`, false);
      for (let times = 0; times < 20; times += 1) expect(await another()).toBe('passes');
      // The first of them pass on a machine on which the first waits are over before they come.
      const refused = async () => (await another()) === 'too_many_requests';
      expect(await waitFor(refused, { what: 'a stranger to be refused' })).toBe(true);
      expect(await from('192.168.1.7', true)).toBe('passes');
    });
  });

  test('refreshes a token, and refuses none or a wrong one', async () => {
    const fresh = await management.admin.data(refreshToken);
    expect(await management.anonymous.as(fresh.token).data(me)).toMatchObject({ username: 'ada' });
    expect(await management.anonymous.refusal(refreshToken)).toMatchObject({
      status: 401,
      error: 'Authentication required',
    });
    expect(await management.anonymous.as('nonsense').refusal(refreshToken)).toMatchObject({
      status: 401,
      error: 'Invalid or expired token',
    });
  });

  test('lets a deactivated user out at once', async () => {
    const token = await management.signIn('viewer');
    const client = management.anonymous.as(token);
    const { username } = await client.data(me);
    await management.infrastructure.database.kysely
      .updateTable('users')
      .set({ active: false })
      .where('username', '=', username)
      .execute();
    expect((await client.refusal(me)).status).toBe(401);
    expect((await client.refusal(refreshToken)).status).toBe(401);
    expect((await logIn(username, adminPassword)).status).toBe(401);
  });

  test('stores no password', async () => {
    const rows = await management.infrastructure.database.kysely.selectFrom('users').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(adminPassword);
  });

  describe('the first admin', () => {
    const infos: string[] = [];
    const log = createLogger({ LOG_LEVEL: 'error', LOG_FORMAT: 'json' });
    log.info = ((text: string) => infos.push(text)) as unknown as typeof log.info;

    test('is made once, however many processes start', async () => {
      const db = management.infrastructure.database;
      await db.kysely.deleteFrom('users').execute();
      const config = { ADMIN_USERNAME: 'root', ADMIN_PASSWORD: undefined };
      const made = await Promise.all([1, 2, 3].map(() => createFirstAdmin(db, config, log)));
      const [told, ...others] = made.filter((admin) => admin !== undefined);
      expect(others).toEqual([]);
      expect(told).toEqual({ username: 'root', password: expect.stringMatching(/^[A-Za-z0-9]{20}$/) });
      const answer = await management.anonymous.data(login, {
        body: { username: 'root', password: told?.password ?? '' },
      });
      expect(answer.user.role).toBe('admin');
      expect(await createFirstAdmin(db, config, log)).toBeUndefined();
    });

    test('with a password from the environment is not told', async () => {
      const db = management.infrastructure.database;
      await db.kysely.deleteFrom('users').execute();
      const config = { ADMIN_USERNAME: 'ada', ADMIN_PASSWORD: new Secret(adminPassword) };
      expect(await createFirstAdmin(db, config, log)).toBeUndefined();
      expect(infos).toEqual([]);
      expect(await createFirstAdmin(db, config, log)).toBeUndefined();
      expect(infos).toEqual([expect.stringContaining('ADMIN_PASSWORD is ignored')]);
      expect(
        (await management.anonymous.data(login, { body: { username: 'ada', password: adminPassword } })).user.username,
      ).toBe('ada');
    });
  });
});
