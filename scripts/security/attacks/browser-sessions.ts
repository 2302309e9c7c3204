import { randomUUID } from 'node:crypto';
import { answer, startLoopbackPeer } from '../../../packages/testkit/src/loopback-peer.ts';
import { isPageSignedIn } from '../../../packages/testkit/src/page-socket.ts';
import { judge, type Attack } from '../attack.ts';
import type { Laboratory } from '../laboratory.ts';
import { ask, chatWith } from '../send-question.ts';

interface Browser {
  readonly cookie: string;
  readonly csrf: string;
}

const password = 'a password of a browser';

/** A user of their own with a browser that is signed in. */
async function openBrowser({ url, admin }: Laboratory, cookie?: string): Promise<Browser & { username: string }> {
  const username = `browser-${randomUUID()}`;
  await admin.expect('POST', '/auth/users', { username, password, role: 'admin' });
  return { username, ...(await signIn(url, username, cookie)) };
}

async function signIn(url: string, username: string, cookie = ''): Promise<Browser> {
  const response = await fetch(`${url}/api/v1/auth/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-csrf-token': 'sign in', cookie },
    body: JSON.stringify({ username, password }),
  });
  const { data } = (await response.json()) as { data: { csrf_token: string } };
  return { cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '', csrf: data.csrf_token };
}

const call = async (
  url: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
) => {
  const response = await fetch(`${url}${path}`, { method, redirect: 'manual', headers, ...(body && { body }) });
  await response.arrayBuffer();
  return response;
};

const newGroup = () => JSON.stringify({ name: `of-a-page-${randomUUID()}` });
const groups = '/api/v1/user-groups';
/** Development lets their pages call the API, and they share cookies with us. */
const neighbour = 'http://localhost:3000';

export const browserSessions: readonly Attack[] = [
  {
    name: 'a page of another origin uses the cookie of a browser that is signed in (CSRF)',
    attacker: 'stranger',
    expected:
      'no read and no change without the header that CORS allows to no page; a change needs the token of this very session',
    async run(laboratory) {
      const { url } = laboratory;
      const [victim, other] = [await openBrowser(laboratory), await openBrowser(laboratory)];
      const { cookie } = victim;
      const faults: string[] = [];
      const json = { 'content-type': 'application/json' };
      const tries: readonly (readonly [
        string,
        string,
        Readonly<Record<string, string>>,
        string | undefined,
        number,
      ])[] = [
        ['GET', groups, { cookie, origin: neighbour }, undefined, 401],
        ['POST', groups, { cookie, origin: neighbour, ...json }, newGroup(), 401],
        ['POST', groups, { cookie, 'content-type': 'text/plain' }, newGroup(), 401],
        ['POST', groups, { cookie, ...json, 'x-csrf-token': 'guessed' }, newGroup(), 403],
        ['POST', groups, { cookie, ...json, 'x-csrf-token': other.csrf }, newGroup(), 403],
        ['POST', '/api/v1/auth/logout', { cookie }, undefined, 401],
      ];
      for (const [method, path, headers, body, wanted] of tries) {
        const { status } = await call(url, method, path, headers, body);
        if (status !== wanted)
          faults.push(`${method} ${path} with ${Object.keys(headers).join(', ')} answered ${status}`);
      }
      const preflight = await call(url, 'OPTIONS', groups, {
        origin: neighbour,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-csrf-token',
      });
      const allowed = preflight.headers.get('access-control-allow-headers') ?? '';
      if (/csrf|\*/i.test(allowed)) faults.push(`CORS allows ${allowed}`);
      const own = await call(url, 'POST', groups, { cookie, ...json, 'x-csrf-token': victim.csrf }, newGroup());
      if (own.status !== 201) faults.push(`our own page was answered ${own.status}`);
      return judge(faults, `${tries.length} refused, the header allowed to no page`);
    },
  },
  {
    name: 'a page of another origin opens /ws with the cookie of a browser that is signed in',
    attacker: 'stranger',
    expected: 'the socket is refused or not signed in; our own origin is',
    async run(laboratory) {
      const { url } = laboratory;
      const { cookie } = await openBrowser(laboratory);
      const faults: string[] = [];
      for (const origin of [neighbour, 'https://evil.example', 'null', undefined]) {
        if (await isPageSignedIn(url, cookie, origin)) faults.push(`signed in with the origin ${origin}`);
      }
      if (!(await isPageSignedIn(url, cookie, new URL(url).origin))) faults.push('our own page was not signed in');
      return judge(faults, 'signed in for our own origin alone');
    },
  },
  {
    name: 'the cookie of a session planted in a browser before its user signs in (fixation), and one made up',
    attacker: 'viewer',
    expected:
      'the user has a session of their own, the planted one is over; cookies that are not sealed here are nothing',
    async run(laboratory) {
      const { url } = laboratory;
      const attacker = await openBrowser(laboratory);
      const victim = await openBrowser(laboratory, attacker.cookie);
      const faults: string[] = [];
      const statusOf = async (cookie: string) =>
        (await call(url, 'GET', '/api/v1/auth/me', { cookie, 'x-csrf-token': 'read' })).status;
      if (victim.cookie === attacker.cookie) faults.push('the planted cookie became that of the user');
      if ((await statusOf(attacker.cookie)) !== 401) faults.push('the planted cookie counts');
      const [, session = '', seal = ''] = /=([^.]+)\..*\.([^.]+)$/.exec(victim.cookie) ?? [];
      const name = victim.cookie.split('=', 1)[0];
      for (const value of [
        `${session}.${randomUUID()}.${seal}`,
        `${session}.${randomUUID()}.`,
        `${session}..`,
        session,
      ]) {
        if ((await statusOf(`${name}=${value}`)) !== 401) faults.push(`${name}=${value} counts`);
      }
      if ((await statusOf(victim.cookie)) !== 200) faults.push('the cookie of the user does not count');
      return judge(faults, 'a session of their own');
    },
  },
  {
    name: 'the cookie of a browser, which every port of the host receives, on a proxy port',
    attacker: 'target',
    expected: 'the target receives and sets other cookies, not that of the session, and it opens no proxy',
    async run(laboratory) {
      const { cookie } = await openBrowser(laboratory);
      await using target = await startLoopbackPeer((_request, response) => {
        response.setHeader('set-cookie', [`${cookie}; Path=/`, 'theme=light', `=${cookie}`]);
        answer(response, 200, { choices: [] });
      });
      const proxy = await laboratory.openProxy({ target: target.url });
      const question = chatWith('hello');
      const { headers } = await ask(proxy, {
        ...question,
        headers: { ...question.headers, cookie: `theme=dark; ${cookie}` },
      });
      const sent = target.requests.at(-1)?.headers.cookie;
      const set = String(headers['set-cookie']);
      return judge(
        [
          ...(sent === 'theme=dark' ? [] : [`the target received ${sent}`]),
          ...(set === 'theme=light' ? [] : [`the target set ${set}`]),
        ],
        'kept here, both ways',
      );
    },
  },
];
