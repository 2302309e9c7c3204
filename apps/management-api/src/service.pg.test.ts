import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { allRoutes, managementRoutes } from '@portcullis/contracts/all-routes';
import { login, me } from '@portcullis/contracts/routes/auth';
import { getReference } from '@portcullis/contracts/routes/system';
import { mountedPath, type mountRoutes } from '@portcullis/platform/routes/mount-routes';
import * as fc from 'fast-check';
import { createManagementService } from './service.ts';
import type { ApiClient } from '../test/api-client.ts';
import { adminPassword, startManagement, stores, type TestManagement } from '../test/start-management.ts';

const roles: ReadonlySet<string> = new Set(['public', 'user', 'viewer', 'operator', 'admin']);

describe.each(stores)('the management API (%s)', (store) => {
  let management: TestManagement;
  let admin: ApiClient;
  beforeAll(async () => {
    management = await startManagement(store);
    admin = management.admin;
  });
  afterAll(() => management.stop());

  /** A random request may end the login of its sender, or its sender. */
  const signedInAdmin = async (): Promise<ApiClient> => {
    if ((await admin.status(me)) !== 200) admin = management.anonymous.as(await management.signIn('admin'));
    return admin;
  };

  test('mounts nothing but routes of the contract, each with a role', () => {
    const declared = new Set(allRoutes.map((route) => `${route.method} ${mountedPath(route)}`));
    // All routes, without what is looked at before them.
    const { http } = management.service.mounts?.find(({ prefix }) => prefix === mountedPath(getReference)) ?? {};
    const app = http as ReturnType<typeof mountRoutes>;
    const layers = app.router.stack.flatMap(({ route }) => (route ? [route] : []));
    const routes = layers.flatMap(({ path, stack }) => {
      const methods = [...new Set(stack.map(({ method }) => method.toUpperCase()))];
      // What answers 405 stands behind the routes and takes every method.
      return methods.length === 1 ? [`${methods.join()} ${path}`] : [];
    });
    expect(routes.sort()).toEqual([...declared].sort());
    expect(managementRoutes.filter(({ role }) => !roles.has(role))).toEqual([]);
    expect(managementRoutes.filter(({ role }) => role === 'public').map(mountedPath)).toEqual([
      '/api/v1/auth/login',
      '/api/v1/auth/refresh',
      '/api/v1/auth/logout',
      '/api/v1/auth/session',
      '/api/v1/auth/oauth/providers',
      '/api/v1/auth/oauth/login/:provider',
      '/api/v1/auth/oauth/callback/:provider',
      '/api/v1/oauth/authorize',
      '/api/v1/oauth/authorize/:provider_id',
      '/api/v1/oauth/start',
      '/api/v1/oauth/callback',
      '/api/v1/oauth/validate',
      '/api/v1/oauth/refresh',
      '/api/v1/oauth/logout',
      '/api/v1/oauth/health',
      '/.well-known/oauth-authorization-server',
      '/api/v1/oauth-proxy/:id/register',
      '/api/v1/oauth-proxy/:id/authorize',
      '/api/v1/oauth-proxy/:id/consent',
      '/api/v1/oauth-proxy/callback/:provider_id',
      '/api/v1/oauth-proxy/:id/token',
      '/api/v1/oauth-proxy/:id/revoke',
      '/api/v1/mcp/discover',
      '/api/v1/health',
      '/api/v1/metrics/prometheus',
      '/api/v1/openapi.json',
      '/api/v1/docs',
      '/api/v1/docs/swagger-ui.css',
      '/api/v1/docs/swagger-ui-bundle.js',
      '/api/v1/docs/start.js',
    ]);
  });

  test('sends browsers from its address to the console, a page without a script, and tells programs in JSON', async () => {
    const open = (accept: string, method = 'GET', path = '/') =>
      fetch(`${management.origin}${path}`, { method, headers: { accept }, redirect: 'manual' });
    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const sent = await open(browser);
    expect([sent.status, sent.headers.get('location')]).toEqual([302, '/console/']);
    const moved = await open(browser, 'GET', '/console?tab=1');
    expect([moved.status, moved.headers.get('location')]).toEqual([308, '/console/?tab=1']);
    const page = await open(browser, 'GET', '/console/alerts/5?tab=evidence');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    const text = await page.text();
    expect(text).toContain('The web console is switched off at this gateway');
    expect(text).not.toMatch(/<script|style=| on\w+=/);
    const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, path = '']) => fetch(new URL(path, management.origin)));
    expect((await Promise.all(links)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);

    const unknown = [open(browser, 'POST', '/console/'), open(browser, 'GET', '/consoles')];
    expect((await Promise.all(unknown)).map(({ status }) => status)).toEqual([404, 404]);
    const others = [open('application/json'), open('*/*'), open('text/html', 'POST')];
    for (const answer of await Promise.all(others)) {
      expect([answer.status, await answer.json()]).toEqual([404, expect.objectContaining({ error_code: 'NOT_FOUND' })]);
    }
  });

  test('started again finds its users and settings, and tells no password', async () => {
    const told: unknown[] = [];
    const again = createManagementService(management.infrastructure, { onFirstAdmin: (admin) => told.push(admin) });
    await again.start();
    await again[Symbol.asyncDispose]();
    expect(told).toEqual([]);
    const body = { username: 'admin', password: adminPassword };
    expect(await management.anonymous.status(login, { body })).toBe(200);
  });

  test('answers 413 to a body over MAX_REQUEST_SIZE_MB', async () => {
    const body = JSON.stringify({ username: 'x'.repeat(11 * 1_048_576), password: 'y' });
    expect(await management.anonymous.status(login, { body })).toBe(413);
  });
  test('never fails on what a client sends', () =>
    fc.assert(
      fc.asyncProperty(fc.constantFrom(...managementRoutes), fc.infiniteStream(oddity), async (route, odd) => {
        const fill = (schema: unknown, render: (value: unknown) => unknown = (value) => value) =>
          Object.fromEntries(fieldNames(schema).map((name) => [name, render(odd.next().value)]));
        const { params, query, body } = route.parts;
        const input = { params: fill(params, asText), query: fill(query, asText), body: body && fill(body) };
        const status = await (await signedInAdmin()).status(route, input);
        expect([status, [500, 502, 504].includes(status)]).toEqual([status, false]);
      }),
      { numRuns: 200 },
    ));
});

test('the made-up password of the first admin is told once and works', async () => {
  const told: { username: string; password: string }[] = [];
  const infrastructureOf = await startManagement('embedded');
  try {
    const { infrastructure } = infrastructureOf;
    await infrastructure.database.kysely.deleteFrom('users').execute();
    const config = { ...infrastructure.config, ADMIN_PASSWORD: undefined };
    const service = createManagementService(
      { ...infrastructure, config },
      { onFirstAdmin: (admin) => told.push(admin) },
    );
    await service.start();
    await service[Symbol.asyncDispose]();
    expect(told).toEqual([{ username: 'admin', password: expect.stringMatching(/^[A-Za-z0-9]{20}$/) }]);
    const body = told[0] ?? { username: '', password: '' };
    expect(await infrastructureOf.anonymous.status(login, { body })).toBe(200);
  } finally {
    await infrastructureOf.stop();
  }
});

/** Values that have broken servers before, and some that are right. */
const oddity: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, '', '0', -1, 0, 1, 7, 2 ** 31, 2 ** 53, 1e308, -0.5, [], {}, [[]]),
  fc.constantFrom(
    'a\0b',
    '\ud800',
    '💥',
    "'; drop table users; --",
    '__proto__',
    '${7*7}',
    '%00',
    '10',
    'llm',
    'http://a.example',
  ),
  fc.constantFrom<unknown>({ __proto__: null, constructor: 1 }, { document: { rules: 7 } }, { chat_webhook: null }),
  fc.string({ unit: 'binary' }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Text for a path or a query: a number as it is, anything else never empty and never dots, which would be another path. */
function asText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^\d+$/.test(text) ? text : `${text}~`.toWellFormed();
}

const fieldNames = (schema: unknown): string[] =>
  typeof schema === 'object' && schema !== null && 'properties' in schema
    ? Object.keys(Object(schema.properties))
    : ['field'];
