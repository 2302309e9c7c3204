import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Exact, optional } from '@portcullis/contracts/fields';
import { defineRoute, type Route, type UserRole } from '@portcullis/contracts/route';
import { request as httpRequest } from 'node:http';
import { waitFor } from '@portcullis/testkit/wait-for';
import { gzipSync } from 'node:zlib';
import { Type } from 'typebox';
import { createLogger, transports } from 'winston';
import { DatabaseUnavailable } from '../database/database-unavailable.ts';
import { createBodyMemory } from '../http/body-memory.ts';
import { openPublicEdge, type PublicEdge } from '../hosting/public-edge.ts';
import { bind, type BoundRoute } from './bound-route.ts';
import { createOriginRule } from './cors.ts';
import { GatewayError, failureMessage } from '../http/gateway-error.ts';
import { mountRoutes } from './mount-routes.ts';
import type { Observation } from './observe-requests.ts';

const base = { role: 'viewer', summary: '', tag: '', errors: [] } as const;
const Thing = Exact({
  port: Type.Integer({ minimum: 1, maximum: 65_535 }),
  ...optional({ kind: Type.Enum(['a', 'b']), note: Type.Record(Type.String(), Type.Unknown()) }),
});
const saveThing = defineRoute({
  ...base,
  method: 'PUT',
  path: '/things/:id',
  status: 201,
  parts: {
    params: Exact({ id: Type.Integer({ minimum: 1 }) }),
    query: Exact({ limit: Type.Integer({ maximum: 9, default: 3 }), ...optional({ all: Type.Boolean() }) }),
    body: Thing,
    response: Exact({ seen: Type.Unknown() }),
  },
});
const showState = defineRoute({ ...base, method: 'GET', path: '/things/state', parts: { response: Type.String() } });
const showLong = defineRoute({ ...base, method: 'GET', path: '/things/long', parts: { response: Type.String() } });
const postLong = defineRoute({
  ...base,
  method: 'POST',
  path: '/greet-long',
  parts: { body: Exact({}), response: Type.String() },
});
const listForKeys = defineRoute({
  ...base,
  method: 'GET',
  path: '/for-keys',
  acceptsApiKey: true,
  parts: { response: Exact({ caller: Type.Unknown() }) },
});
const fail = defineRoute({
  ...base,
  method: 'GET',
  path: '/fail/:how',
  role: 'public',
  parts: { params: Exact({ how: Type.String() }) },
});
const plain = defineRoute({
  ...base,
  method: 'GET',
  path: '/plain',
  absolute: true,
  role: 'public',
  contentType: 'text/plain; charset=utf-8',
  parts: {},
});
const greet = defineRoute({
  ...base,
  method: 'POST',
  path: '/greet',
  role: 'public',
  parts: { body: Exact({ name: Type.String() }), response: Type.Integer() },
});
const readForm = defineRoute({
  ...base,
  method: 'POST',
  path: '/form',
  role: 'public',
  form: true,
  parts: { body: Type.Object({ a: Type.String() }), response: Type.Unknown() },
});
const forRole = (role: UserRole) => defineRoute({ ...base, method: 'POST', path: `/only/${role}`, role, parts: {} });
const onlyFor = { viewer: forRole('viewer'), operator: forRole('operator'), admin: forRole('admin') };

const failures: Readonly<Record<string, () => unknown>> = {
  conflict: () => new GatewayError('conflict', { message: 'Taken', headers: { 'retry-after': '7' } }),
  database: () => new DatabaseUnavailable(new Error('connect ECONNREFUSED 10.0.0.5:5432')),
  bug: () => new TypeError('secret internals'),
};
const bound: BoundRoute[] = [
  bind(saveThing, ({ params, query, body, caller }) => ({ data: { seen: { params, query, body, caller } } })),
  bind(listForKeys, ({ caller }) => ({ data: { caller }, headers: { 'x-total-count': '1' } })),
  bind(showLong, () => ({ data: 'word '.repeat(1_000) })),
  bind(postLong, () => ({ data: 'word '.repeat(1_000) })),
  bind(showState, () => ({ data: 'steady', message: 'Well' })),
  bind(fail, ({ params }) => {
    throw failures[params.how]?.();
  }),
  bind(plain, () => ({ text: 'hello' })),
  bind(greet, ({ body }) => ({ data: body.name.length })),
  bind(readForm, ({ body }) => ({ data: body })),
  ...Object.values(onlyFor).map((route) => bind(route, () => ({ message: 'Done' }))),
];

const lines: string[] = [];
const observed: Observation[] = [];
const maxBodyBytes = 600_000;
const roomBytes = 1_400_000;
let edge: PublicEdge;
let origin: string;

beforeAll(async () => {
  const log = createLogger({ transports: [new transports.Console({ silent: true })] });
  log.on('data', (line: unknown) => lines.push(JSON.stringify(line)));
  const app = mountRoutes({
    contract: bound.map(({ route }) => route),
    bound,
    authentication: {
      browser: () => Promise.resolve(undefined),
      async user(token) {
        if (token === 'bad') throw new GatewayError('invalid_token');
        // A role that the code does not know is what a corrupted row could hold.
        return { kind: 'user', id: 1, username: token, role: token.split('.').at(-1) as UserRole };
      },
      async apiKey(key) {
        if (key === 'bad') throw new GatewayError('key_unknown');
        return { kind: 'api_key', id: 2, name: key, groupId: 3 };
      },
    },
    allowsOrigin: createOriginRule({ ENVIRONMENT: 'development', ALLOWED_ORIGINS: ['https://console.example'] }),
    maxBodyBytes,
    bodyMemory: createBodyMemory(roomBytes),
    log,
    observe: (observation) => observed.push(observation),
  });
  edge = await openPublicEdge('127.0.0.1', 0);
  edge.serve([{ prefix: '/', http: app }]);
  origin = `http://127.0.0.1:${edge.port}`;
});
afterAll(async () => {
  await edge[Symbol.asyncDispose]();
});

const call = (
  method: string,
  path: string,
  init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
  token = 'viewer',
) => fetch(origin + path, { method, ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } });
const json = { 'content-type': 'application/json' };
const save = (path: string, body: unknown) =>
  call('PUT', path, { headers: json, body: typeof body === 'string' ? body : JSON.stringify(body) });

describe('an API key', () => {
  test('opens only routes that accept one, and comes before a token', async () => {
    const answer = await call('GET', '/api/v1/for-keys', { headers: { 'x-api-key': 'ci' } });
    expect(await answer.json()).toEqual({
      success: true,
      data: { caller: { kind: 'api_key', id: 2, name: 'ci', groupId: 3 } },
    });
    expect(answer.headers.get('x-total-count')).toBe('1');
    const asUser = await (await call('GET', '/api/v1/for-keys', {}, 'signed.token.viewer')).json();
    expect(asUser).toMatchObject({ data: { caller: { kind: 'user' } } });
    const asBearer = await (await call('GET', '/api/v1/for-keys', {}, 'gw_ci')).json();
    expect(asBearer).toMatchObject({ data: { caller: { kind: 'api_key', name: 'gw_ci' } } });
    const refused = await call('GET', '/api/v1/for-keys', { headers: { 'x-api-key': 'bad' } });
    expect([refused.status, await refused.json()]).toMatchObject([401, { error: 'Invalid API key: key not found' }]);
    const elsewhere = await fetch(`${origin}/api/v1/things/state`, { headers: { 'x-api-key': 'ci' } });
    expect(elsewhere.status).toBe(401);
  });
});

describe('what a handler gets', () => {
  test('is validated, with path and query in the types of the schema and defaults filled in', async () => {
    // What a query has beyond the schema reaches no handler.
    const answer = await save('/api/v1/things/7?all=true&_=1758', { port: 80, kind: 'a' });
    expect(answer.status).toBe(201);
    expect(await answer.json()).toEqual({
      success: true,
      data: {
        seen: {
          params: { id: 7 },
          query: { all: true, limit: 3 },
          body: { port: 80, kind: 'a' },
          caller: { kind: 'user', id: 1, username: 'viewer', role: 'viewer' },
        },
      },
    });
  });

  test('comes from the literal path where a parameter would match too', async () => {
    const answer = await call('GET', '/api/v1/things/state');
    expect(await answer.json()).toEqual({ success: true, data: 'steady', message: 'Well' });
  });

  test('may be answered with plain text from the root', async () => {
    const answer = await call('GET', '/plain');
    expect([await answer.text(), answer.headers.get('content-type')]).toEqual(['hello', 'text/plain; charset=utf-8']);
  });
});

describe('a long answer', () => {
  const long = 'word '.repeat(1_000);

  test.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', null],
  ])('is compressed for a client that takes %s', async (accepted, coding) => {
    const answer = await call('GET', '/api/v1/things/long', { headers: { 'accept-encoding': accepted } });
    expect([answer.headers.get('content-encoding'), answer.headers.get('vary')]).toEqual([
      coding,
      expect.stringContaining('Accept-Encoding'),
    ]);
    // The client has taken it out of its coding.
    expect(await answer.json()).toEqual({ success: true, data: long });
    expect(Number(answer.headers.get('content-length')) < 200).toBe(coding !== null);
  });

  test('is not compressed where it is short, or was not asked for with GET', async () => {
    const short = await call('GET', '/api/v1/things/state');
    const posted = await call('POST', '/api/v1/greet-long', { headers: json, body: '{}' });
    expect([short, posted].map(({ headers }) => headers.get('content-encoding'))).toEqual([null, null]);
    expect(await posted.json()).toEqual({ success: true, data: long });
  });
});

describe('wrong input', () => {
  test.each([
    ['a value over its bound', '/things/7', { port: 70_000 }, [{ path: '/body/port', rule: 'must be 65535 or less' }]],
    [
      'a text in place of a number',
      '/things/7',
      { port: '80' },
      [{ path: '/body/port', rule: 'must be a whole number' }],
    ],
    ['a missing field', '/things/7', {}, [{ path: '/body/port', rule: 'is required' }]],
    [
      'a value out of a list',
      '/things/7',
      { port: 1, kind: 'c' },
      [{ path: '/body/kind', rule: 'must be one of a, b' }],
    ],
    ['an unknown field', '/things/7', { port: 1, 'p/q': 2 }, [{ path: '/body/p~1q', rule: 'is not a known field' }]],
    [
      'a polluting field',
      '/things/7',
      '{"port":1,"__proto__":{}}',
      [{ path: '/body/__proto__', rule: 'is not a known field' }],
    ],
    ['a body of another type', '/things/7', [], [{ path: '/body', rule: 'must be an object' }]],
    ['an id that is none', '/things/x', { port: 1 }, [{ path: '/params/id', rule: 'must be a whole number' }]],
    [
      'an empty query value',
      '/things/7?limit=',
      { port: 1 },
      [{ path: '/query/limit', rule: 'must be a whole number' }],
    ],
    [
      'a repeated query value',
      '/things/7?limit=1&limit=2',
      { port: 1 },
      [{ path: '/query/limit', rule: 'must be a whole number' }],
    ],
    [
      'a NUL character',
      '/things/7',
      { port: 1, note: { a: 'x\0' } },
      [{ path: '/body/note/a', rule: expect.stringContaining('NUL') }],
    ],
    [
      'half a character',
      '/things/7',
      '{"port":1,"note":{"a":"\\ud800"}}',
      [{ path: '/body/note/a', rule: expect.stringContaining('surrogate') }],
    ],
    [
      'a NUL in a key',
      '/things/7',
      { port: 1, note: { 'x\0': 1 } },
      [{ path: '/body/note', rule: expect.stringContaining('NUL') }],
    ],
    [
      'deep nesting',
      '/things/7',
      `{"port":1,"note":{"a":${'['.repeat(500)}${']'.repeat(500)}}}`,
      [{ path: expect.any(String), rule: expect.stringContaining('nested') }],
    ],
  ])('%s answers 400 with the path', async (_name, path, body, problems) => {
    const answer = await save(`/api/v1${path}`, body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({
      success: false,
      error: 'Invalid request',
      error_code: 'BAD_REQUEST',
      message: expect.stringMatching(/^[\w./ ]+ (?:must|is) /),
      problems,
    });
  });

  test('the first problem stands in the message, too, where clients look that know no problems', async () => {
    const told = async (body: object) => {
      const answer = (await (await save('/api/v1/things/7', body)).json()) as { message: string };
      return answer.message;
    };
    expect(await told({ port: 70_000, kind: 'c' })).toBe('port must be 65535 or less');
    expect(failureMessage('Nothing was changed', [{ path: '/body/settings/a~1b', rule: 'is required' }])).toEqual({
      message: 'Nothing was changed: settings.a/b is required',
    });
    expect(failureMessage('The host must be known', [{ path: '/body/url', rule: 'must be known' }])).toEqual({
      message: 'The host must be known',
    });
    expect(failureMessage(undefined, [{ path: '/body', rule: 'is required' }])).toEqual({
      message: 'The body is required',
    });
  });

  test('everything wrong is told at once', async () => {
    const answer = await save('/api/v1/things/0?limit=10', { port: 0 });
    const { problems } = (await answer.json()) as { problems: { path: string }[] };
    expect(problems.map(({ path }) => path)).toEqual(['/params/id', '/query/limit', '/body/port']);
  });

  test('a body that is no JSON answers 400 with the place', async () => {
    const answer = await save('/api/v1/things/7', '{\n  "port": 8o\n}');
    expect([answer.status, await answer.json()]).toEqual([
      400,
      {
        success: false,
        error: 'The body is not valid JSON',
        error_code: 'BAD_REQUEST',
        message: 'The body is not valid JSON at line 2, column 12',
        problems: [{ path: '/body', rule: 'is not valid JSON at line 2, column 12' }],
      },
    ]);
  });

  test('no body where one is needed answers 400', async () => {
    const answer = await call('PUT', '/api/v1/things/7');
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { problems: [{ path: '/body', rule: 'is required' }] },
    ]);
  });

  test.each([
    ['a declared length', { headers: json, body: 'x'.repeat(maxBodyBytes + 1) }],
    ['a length that fills every buffer on the way', { headers: json, body: 'x'.repeat(30_000_000) }],
    ['chunks', { headers: json, body: new Blob(['x'.repeat(maxBodyBytes + 1)]).stream(), duplex: 'half' as const }],
  ])('a body over the limit answers 413, sent with %s', async (_name, init) => {
    const answer = await call('PUT', '/api/v1/things/7', init);
    expect([answer.status, await answer.json()]).toMatchObject([413, { error_code: 'PAYLOAD_TOO_LARGE' }]);
  });

  test.each([
    ['another type', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['an unknown charset', { 'content-type': 'application/json; charset=latin1' }],
    ['an unknown encoding', { ...json, 'content-encoding': 'snappy' }],
  ])('a body of %s answers 415', async (_name, headers) => {
    const answer = await call('PUT', '/api/v1/things/7', { headers, body: '{"port":1}' });
    expect([answer.status, await answer.json()]).toMatchObject([415, { error_code: 'UNSUPPORTED_MEDIA_TYPE' }]);
  });

  test('a path that does not decode answers 400, an unknown one 404', async () => {
    expect((await call('GET', '/api/v1/fail/%ZZ')).status).toBe(400);
    const unknown = await call('GET', '/api/v1/nothing');
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { success: false, error_code: 'NOT_FOUND' }]);
  });

  test('a method that the path does not have answers 405 with those it has', async () => {
    const answer = await call('POST', '/api/v1/things/7');
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'PUT, OPTIONS']);
    expect(await answer.json()).toMatchObject({ error_code: 'METHOD_NOT_ALLOWED' });
  });
});

describe('memory for bodies', () => {
  const named = (letters: number): string => JSON.stringify({ name: 'x'.repeat(letters) });
  const asStranger = (body: string | Uint8Array<ArrayBuffer>, headers = {}) =>
    fetch(`${origin}/api/v1/greet`, { method: 'POST', headers: { ...json, ...headers }, body });

  /** Sends all of a body but its end. */
  const hold = async (path: string, body: string, headers: Record<string, string> = {}) => {
    const held = httpRequest(`${origin}${path}`, {
      method: path.endsWith('/greet') ? 'POST' : 'PUT',
      headers: { ...json, 'content-length': body.length + 1, ...headers },
    });
    held.on('error', () => undefined);
    await new Promise((resolve) => held.write(body, resolve));
    return held;
  };

  test('strangers send little', async () => {
    expect(await (await asStranger(named(65_000))).json()).toMatchObject({ data: 65_000 });
    const refused = await asStranger(named(65_536));
    expect([refused.status, await refused.json()]).toMatchObject([
      413,
      { message: 'At most 65536 bytes are accepted without a login' },
    ]);
    const bomb = await asStranger(gzipSync(named(1_000_000)), { 'content-encoding': 'gzip' });
    expect(bomb.status).toBe(413);
    expect((await asStranger(gzipSync(named(1_000)), { 'content-encoding': 'gzip' })).status).toBe(200);
    expect((await asStranger('{}', { 'content-encoding': 'gzip' })).status).toBe(400);
  });

  test('is shared out among users, and given back', async () => {
    const body = named(180_000);
    const token = { authorization: 'Bearer viewer' };
    const held = await Promise.all([1, 2, 3, 4, 5, 6, 7].map(() => hold('/api/v1/things/7', body, token)));
    const refused = await waitFor(
      async () => {
        const answer = await save('/api/v1/things/7', body);
        return answer.status === 503 && answer;
      },
      { what: 'a refusal' },
    );
    expect([refused.headers.get('retry-after'), await refused.json()]).toMatchObject([
      '1',
      { error_code: 'SERVICE_UNAVAILABLE', message: 'Too many large bodies are under way' },
    ]);
    // What is small has its place.
    expect((await save('/api/v1/things/7', { port: 1 })).status).toBe(201);
    for (const one of held) one.destroy();
    await waitFor(async () => (await save('/api/v1/things/7', body)).status === 400, { what: 'room' });
  });

  test('of strangers is less, and never that of those who are known', async () => {
    const held = await Promise.all(Array.from({ length: 20 }, () => hold('/api/v1/greet', named(60_000))));
    await waitFor(async () => (await asStranger(named(60_000))).status === 503, { what: 'a refusal' });
    // A login.
    expect((await asStranger(named(1_000))).status).toBe(200);
    expect((await save('/api/v1/things/7', named(90_000))).status).toBe(400);
    for (const one of held) one.destroy();
    await waitFor(async () => (await asStranger(named(60_000))).status === 200, { what: 'room' });
  });
});

test('of many values the first problem is told, and of too many none is looked for', async () => {
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [at.toString(36), 0]));
  const few = await (await save('/api/v1/things/7', keys(3))).json();
  expect((few as { problems: unknown[] }).problems).toHaveLength(4);
  const many = await (await save('/api/v1/things/7', keys(10_000))).json();
  expect((many as { problems: unknown[] }).problems).toHaveLength(1);
  const tooMany = await save('/api/v1/things/7', keys(65_000));
  expect([tooMany.status, await tooMany.json()]).toMatchObject([
    413,
    { message: expect.stringMatching(/^Too many val/) },
  ]);
});

test('a form is read as texts by their names', async () => {
  const send = (body: string, type = 'application/x-www-form-urlencoded') =>
    fetch(`${origin}/api/v1/form`, { method: 'POST', headers: { 'content-type': type }, body });
  expect(await (await send('a=1+2%C3%BC&__proto__=x')).json()).toMatchObject({ data: { a: '1 2ü' } });
  expect((await send(`a=1${'&b=2'.repeat(50)}`)).status).toBe(400);
  expect((await send(`a=${'x'.repeat(40_000)}`)).status).toBe(413);
  expect((await send('a=1', 'text/plain')).status).toBe(415);
});

describe('roles', () => {
  const allowed: Readonly<Record<UserRole, readonly string[]>> = {
    user: [],
    viewer: ['viewer'],
    operator: ['viewer', 'operator'],
    admin: ['viewer', 'operator', 'admin'],
  };

  test.each(Object.keys(allowed) as UserRole[])('a %s may call what its role includes', async (role) => {
    for (const needed of ['viewer', 'operator', 'admin']) {
      const { status } = await call('POST', `/api/v1/only/${needed}`, {}, role);
      expect([needed, status]).toEqual([needed, allowed[role].includes(needed) ? 200 : 403]);
    }
  });

  test('an unknown role may nothing', async () => {
    expect((await call('POST', '/api/v1/only/viewer', {}, 'emperor')).status).toBe(403);
    expect((await call('POST', '/api/v1/only/viewer', {}, '__proto__')).status).toBe(403);
  });

  test('no caller is asked to sign in, before the body is read', async () => {
    const answer = await fetch(`${origin}/api/v1/things/7`, { method: 'PUT', headers: json, body: 'x'.repeat(99_999) });
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(await answer.json()).toEqual({
      success: false,
      error: 'Authentication required',
      error_code: 'UNAUTHORIZED',
    });
    expect((await call('POST', '/api/v1/only/viewer', {}, 'bad')).status).toBe(401);
  });
});

describe('failures', () => {
  test('of a handler are rendered with their headers', async () => {
    const answer = await call('GET', '/api/v1/fail/conflict');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([409, '7']);
    expect(await answer.json()).toMatchObject({ success: false, error_code: 'CONFLICT', message: 'Taken' });
  });

  test('of the database answer 503, and its address stays in the log', async () => {
    const answer = await call('GET', '/api/v1/fail/database', { headers: { 'x-request-id': 'abc.1' } });
    const text = await answer.text();
    expect([answer.status, JSON.parse(text)]).toMatchObject([503, { request_id: 'abc.1' }]);
    expect(text).not.toContain('10.0.0.5');
    expect(lines.join()).toContain('10.0.0.5');
  });

  test('that were not expected answer 500 with a request id and nothing else', async () => {
    const answer = await call('GET', '/api/v1/fail/bug');
    const id = answer.headers.get('x-request-id');
    expect(await answer.json()).toEqual({
      success: false,
      error: 'Internal error',
      error_code: 'INTERNAL_ERROR',
      request_id: id,
    });
    expect(lines.find((line) => line.includes(String(id)))).toContain('secret internals');
  });
});

describe('headers', () => {
  test('echo a harmless request id and replace any other', async () => {
    const given = async (id: string) =>
      (await call('GET', '/plain', { headers: { 'x-request-id': id } })).headers.get('x-request-id');
    expect(await given('trace-1:2.3')).toBe('trace-1:2.3');
    expect(await given('a b"c')).toMatch(/^[\da-f-]{36}$/);
    expect(await given('x'.repeat(129))).toMatch(/^[\da-f-]{36}$/);
  });

  test('keep browsers from sniffing, framing and keeping answers, also of failures', async () => {
    for (const path of ['/plain', '/api/v1/nothing']) {
      const { headers } = await call('GET', path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
      expect(headers.get('x-powered-by')).toBeNull();
    }
  });

  test.each([
    ['http://localhost:5173', true],
    ['https://console.example', true],
    ['https://evil.example', false],
    ['https://console.example.evil.example', false],
    ['http://localhost.evil.example', false],
    ['null', false],
  ])('let pages of %s read: %s', async (pageOrigin, allowed) => {
    const expected = allowed ? pageOrigin : null;
    const answer = await preflight({ origin: pageOrigin, 'access-control-request-method': 'PUT' });
    expect([answer.status, answer.headers['access-control-allow-origin'] ?? null]).toEqual([204, expected]);
    const failed = await call('GET', '/api/v1/nothing', { headers: { origin: pageOrigin } });
    expect(failed.headers.get('access-control-allow-origin')).toBe(expected);
    expect(failed.headers.get('vary')).toContain('Origin');
  });

  test('tell the methods of a path to OPTIONS', async () => {
    const answer = await call('OPTIONS', '/api/v1/things/1');
    expect([answer.status, answer.headers.get('allow')]).toEqual([204, 'PUT, OPTIONS']);
  });
});

test('in production only the listed origins may read', () => {
  const allows = createOriginRule({ ENVIRONMENT: 'production', ALLOWED_ORIGINS: ['https://console.example'] });
  expect([allows('https://console.example'), allows('http://localhost:3000')]).toEqual([true, false]);
});

test('requests are observed under the template of their route', async () => {
  observed.length = 0;
  await save('/api/v1/things/123', { port: 0 });
  await call('GET', '/api/v1/nothing/at/all');
  expect(observed).toEqual([
    { method: 'PUT', endpoint: '/api/v1/things/:id', status: 400, durationMs: expect.any(Number) },
    { method: 'GET', endpoint: 'unmatched', status: 404, durationMs: expect.any(Number) },
  ]);
});

describe('mounting', () => {
  const mount = (contract: readonly Route[], handlers: readonly BoundRoute[]) => () =>
    mountRoutes({
      contract,
      bound: handlers,
      authentication: {
        browser: () => Promise.resolve(undefined),
        user: () => Promise.reject(new GatewayError('invalid_token')),
        apiKey: () => Promise.reject(new GatewayError('key_unknown')),
      },
      allowsOrigin: () => false,
      maxBodyBytes,
      bodyMemory: createBodyMemory(roomBytes),
      log: createLogger({ silent: true }),
      observe: () => undefined,
    });
  const handler = bind(plain, () => ({ text: '' }));

  test('refuses a contract without handlers, handlers without a contract and two for one route', () => {
    expect(mount([plain], [handler])).not.toThrow();
    expect(mount([plain], [])).toThrow('GET /plain has no handler');
    expect(mount([], [handler])).toThrow('GET /plain is not part of the contract');
    expect(mount([plain], [handler, handler])).toThrow('bound twice');
  });
});

/** `fetch` does not send an Origin of our choosing with OPTIONS in every version; plain HTTP does. */
const preflight = (headers: Record<string, string>) =>
  new Promise<{ status: number; headers: Record<string, unknown> }>((resolve, reject) => {
    httpRequest(`${origin}/api/v1/things/1`, { method: 'OPTIONS', headers }, (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, headers: response.headers });
    })
      .on('error', reject)
      .end();
  });
