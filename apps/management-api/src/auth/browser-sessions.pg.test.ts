import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { changePassword, login, logout, me } from '@portcullis/contracts/routes/auth';
import {
  endOtherSessions,
  endOwnSession,
  getCurrentSession,
  listOwnSessions,
} from '@portcullis/contracts/routes/browser-sessions';
import { csrfHeader } from '@portcullis/contracts/browser-session';
import { createUser, updateUser } from '@portcullis/contracts/routes/users';
import { sql } from 'kysely';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';
import { createTestBrowser, type TestBrowser } from '../../test/test-browser.ts';

const password = 'a long enough password';

describe.each(stores)('the session of a browser (%s)', (store) => {
  let management: TestManagement;
  beforeAll(async () => {
    management = await startManagement(store, { ENVIRONMENT: 'development' });
  });
  afterAll(() => management.stop());

  let counter = 0;
  const newUser = async (role: 'viewer' | 'admin' = 'viewer') => {
    counter += 1;
    const body = { username: `browser-user-${counter}`, password, role };
    return (await management.admin.data(createUser, { body })).user;
  };
  const signIn = async (role?: 'viewer' | 'admin') => {
    const user = await newUser(role);
    const browser = createTestBrowser(management.origin);
    expect(await browser.signIn(user.username, password)).toBe(200);
    return { user, browser };
  };
  const age = (column: string, by: string, userId: number) =>
    sql`update login_sessions set ${sql.ref(column)} = ${sql.ref(column)} - ${by}::interval where user_id = ${userId}`.execute(
      management.infrastructure.database.kysely,
    );
  const makeDue = (userId: number) =>
    age('created_at', '20 minutes', userId).then(() => age('refreshed_at', '20 minutes', userId));
  const statusOf = (browser: TestBrowser, cookie: string, more = {}) =>
    browser.send(me, { cookie, headers: { [csrfHeader]: 'read' }, ...more }).then(({ status }) => status);

  test('is a cookie that scripts cannot read and other sites do not send', async () => {
    const { browser, user } = await signIn();
    expect(browser.lastSetCookie).toMatch(
      /^portcullis_session=[\w.-]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
    );
    expect((await browser.send(me)).body).toMatchObject({ data: { username: user.username } });
  });

  test('over https is bound to this host, and there the name of clear connections counts for nothing', async () => {
    const user = await newUser();
    const browser = createTestBrowser(management.origin, { 'x-forwarded-proto': 'https' });
    await browser.signIn(user.username, password);
    expect(browser.lastSetCookie).toMatch(
      /^__Host-portcullis_session=[\w.-]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect((await browser.send(me)).status).toBe(200);
    expect(await statusOf(browser, browser.cookie.replace('__Host-', ''))).toBe(401);
  });

  test('counts only beside the header of the CSRF token, and what changes anything needs the token itself', async () => {
    const { browser } = await signIn('admin');
    const other = await signIn('admin');
    const body = { username: `made-${counter}`, password };
    const change = (headers: object) => browser.send(createUser, { body, headers });
    expect((await browser.send(me, { headers: {} })).status).toBe(401);
    expect((await browser.send(me, { headers: { [csrfHeader]: 'anything' } })).status).toBe(200);
    expect((await change({})).status).toBe(401);
    for (const token of ['anything', '', other.browser.csrfToken]) {
      expect(await change({ [csrfHeader]: token })).toMatchObject({
        status: 403,
        body: { error: "The header X-CSRF-Token does not carry this session's token" },
      });
    }
    expect((await change({ [csrfHeader]: browser.csrfToken })).status).toBe(201);
    expect((await browser.send(logout, { headers: { [csrfHeader]: 'anything' } })).status).toBe(403);
  });

  test('is not begun for a page of another origin, which cannot send the header', async () => {
    const user = await newUser();
    const refused = await createTestBrowser(management.origin).signIn(user.username, password, {});
    expect(refused).toBe(403);
  });

  test('is replaced by the server as time goes by, without disturbing requests at once', async () => {
    const { browser, user } = await signIn();
    const first = browser.cookie;
    await makeDue(user.id);
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => browser.send(me, { cookie: first })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const given = new Set(answers.map(({ setCookie }) => setCookie?.split(';')[0]));
    given.delete(undefined);
    expect(given.size).toBe(1);
    const second = browser.cookie;
    expect(second).not.toBe(first);
    expect(given).toEqual(new Set([second]));
    // The answer with the new one may have been lost: the old one counts until the new one has come.
    await age('refreshed_at', '10 minutes', user.id);
    expect(await statusOf(browser, first)).toBe(200);
    expect(await statusOf(browser, second)).toBe(200);
    // And for those that were on their way.
    expect(await statusOf(browser, first)).toBe(200);
    expect((await browser.send(getCurrentSession)).body).toMatchObject({ data: { csrf_token: browser.csrfToken } });
  });

  test('ends when an old cookie comes back long after: one of the two was stolen', async () => {
    const { browser, user } = await signIn();
    const first = browser.cookie;
    await makeDue(user.id);
    await browser.send(me);
    await browser.send(me);
    await age('cookie_confirmed_at', '2 minutes', user.id);
    expect(await statusOf(browser, first)).toBe(401);
    expect((await browser.send(me)).status).toBe(401);
  });

  test('is always a new one: a cookie that was planted is not taken over, and that session ends', async () => {
    const { browser: attacker } = await signIn();
    const victim = createTestBrowser(management.origin);
    victim.cookie = attacker.cookie;
    const user = await newUser();
    await victim.signIn(user.username, password);
    expect(victim.cookie).not.toBe(attacker.cookie);
    expect((await victim.send(me)).body).toMatchObject({ data: { username: user.username } });
    expect((await attacker.send(me)).status).toBe(401);
  });

  test('is nothing as a bearer token, and a token nothing as a cookie', async () => {
    const { browser, user } = await signIn();
    const value = browser.cookie.split('=')[1] ?? '';
    expect(await management.anonymous.as(value).status(me)).toBe(401);
    const { token } = await management.anonymous.data(login, { body: { username: user.username, password } });
    expect(await statusOf(browser, `portcullis_session=${token}`)).toBe(401);
    const forged = `${browser.cookie.slice(0, -4)}AAAA`;
    expect(await statusOf(browser, forged)).toBe(401);
    // A token counts before a cookie.
    const { body } = await browser.send(me, { headers: { authorization: `Bearer ${management.adminToken}` } });
    expect(body).toMatchObject({ data: { role: 'admin' } });
  });

  test('ends with a logout, which takes the cookie back', async () => {
    const { browser, user } = await signIn();
    const copy = browser.cookie;
    const { token } = await management.anonymous.data(login, { body: { username: user.username, password } });
    const { setCookie } = await browser.send(logout);
    expect(setCookie).toMatch(/^portcullis_session=; Path=\/; Max-Age=0; HttpOnly; SameSite=Strict$/);
    expect(await statusOf(browser, copy)).toBe(401);
    expect(await management.anonymous.as(token).status(me)).toBe(200);
  });

  test('gets a new cookie with a new password, and every other session of the user ends', async () => {
    const { browser, user } = await signIn();
    const before = browser.cookie;
    const other = createTestBrowser(management.origin);
    await other.signIn(user.username, password);
    const { token } = await management.anonymous.data(login, { body: { username: user.username, password } });
    const body = { current_password: password, new_password: 'another long password' };
    expect((await browser.send(changePassword, { body })).status).toBe(200);
    expect(browser.cookie).not.toBe(before);
    expect((await browser.send(me)).status).toBe(200);
    expect((await other.send(me)).status).toBe(401);
    expect(await management.anonymous.as(token).status(me)).toBe(401);
  });

  test('ends with the deactivation of the user', async () => {
    const { browser, user } = await signIn();
    await management.admin.status(updateUser, { params: user, body: { active: false } });
    expect((await browser.send(me)).status).toBe(401);
  });

  test('ends when it is not used, and after its time', async () => {
    const { browser, user } = await signIn();
    await age('expires_at', '8 days', user.id);
    expect((await browser.send(me)).status).toBe(401);
  });

  test('is listed with the other sessions of the user, who ends them', async () => {
    const { browser, user } = await signIn();
    const { token } = await management.anonymous.data(login, { body: { username: user.username, password } });
    const bearer = management.anonymous.as(token);
    const { sessions, total } = await bearer.data(listOwnSessions);
    expect([total, sessions.map(({ kind, current }) => [kind, current])]).toEqual([
      2,
      [
        ['token', true],
        ['cookie', false],
      ],
    ]);
    const { browser: stranger } = await signIn('admin');
    const params = { sessionId: sessions[1]?.id };
    expect((await stranger.send(endOwnSession, { params })).status).toBe(404);
    expect((await browser.send(me)).status).toBe(200);
    expect(await bearer.status(endOwnSession, { params })).toBe(200);
    expect((await browser.send(me)).status).toBe(401);
    expect(await bearer.refusal(endOwnSession, { params })).toMatchObject({ status: 404 });

    await browser.signIn(user.username, password);
    expect((await browser.send(endOtherSessions)).body).toMatchObject({ data: { ended_count: 1 } });
    expect(await bearer.status(me)).toBe(401);
    expect((await browser.send(me)).status).toBe(200);
  });

  describe('on /ws', () => {
    const open = async (cookie: string, origin: string | undefined, host?: string) => {
      const socket = new WebSocket(`${management.origin.replace('http', 'ws')}/ws`, {
        ...(origin !== undefined && { origin }),
        headers: { cookie, ...(host !== undefined && { host }) },
      });
      const closed = once(socket, 'close').then(([code]) => code as number);
      closed.catch(() => undefined);
      await once(socket, 'open');
      return { socket, closed };
    };
    /** Whether the gateway takes it for signed in: it answers messages. */
    const isSignedIn = async (socket: WebSocket) => {
      socket.send(JSON.stringify({ type: 'subscribe', types: ['new_alert'] }));
      const [first] = (await Promise.race([once(socket, 'message'), once(socket, 'close')])) as [unknown];
      return String(first).includes('session.subscribed');
    };

    test('counts with our exact origin, and ends with the session', async () => {
      const { browser } = await signIn();
      const { socket, closed } = await open(browser.cookie, management.origin);
      expect(await isSignedIn(socket)).toBe(true);
      await browser.send(logout);
      expect(await closed).toBe(1008);
    });

    test.each(['http://localhost:3000', undefined])('does not with the origin %s', async (origin) => {
      const { browser } = await signIn();
      const { socket } = await open(browser.cookie, origin);
      expect(await isSignedIn(socket)).toBe(false);
      socket.terminate();
    });

    test('is refused for a page of an origin that has no business here', async () => {
      const { browser } = await signIn();
      await expect(open(browser.cookie, 'https://evil.example')).rejects.toThrow('403');
    });
  });
});
