import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { allRoutes } from '@portcullis/contracts/all-routes';
import type { Route, UserRole } from '@portcullis/contracts/route';
import { login } from '@portcullis/contracts/routes/auth';
import { mayCall } from '@portcullis/platform/http/role-check';
import { mountedPath, type mountRoutes } from '@portcullis/platform/http/mount-routes';
import { createManagementService } from './service.ts';
import type { ApiClient } from '../test/api-client.ts';
import { adminPassword, startManagement, stores, type TestManagement } from '../test/start-management.ts';

const roles: ReadonlySet<string> = new Set(['public', 'viewer', 'operator', 'admin']);

describe.each(stores)('the management API (%s)', (store) => {
  let management: TestManagement;
  const clients = new Map<string, ApiClient>();
  beforeAll(async () => {
    management = await startManagement(store);
    clients.set('nobody', management.nobody);
    for (const role of ['viewer', 'operator', 'admin'] as const) {
      clients.set(role, management.nobody.as(await management.signIn(role)));
    }
  });
  afterAll(() => management.stop());

  test('mounts nothing but routes of the contract, each with a role', () => {
    const declared = new Set(allRoutes.map((route) => `${route.method} ${mountedPath(route)}`));
    const layers = (management.service.http as ReturnType<typeof mountRoutes>).router.stack.flatMap(({ route }) =>
      route ? [route] : [],
    );
    const routes = layers.flatMap(({ path, stack }) => {
      const methods = [...new Set(stack.map(({ method }) => method.toUpperCase()))];
      // What answers 405 stands behind the routes and takes every method.
      return methods.length === 1 ? [`${methods.join()} ${path}`] : [];
    });
    expect(routes.sort()).toEqual([...declared].sort());
    expect(allRoutes.filter(({ role }) => !roles.has(role))).toEqual([]);
    expect(allRoutes.filter(({ role }) => role === 'public').map(mountedPath)).toEqual([
      '/api/v1/auth/login',
      '/api/v1/auth/refresh',
      '/api/v1/health',
      '/api/v1/metrics/prometheus',
      '/api/v1/openapi.json',
    ]);
  });

  test.each(['nobody', 'viewer', 'operator', 'admin'] as const)('serves %s what the contract says', async (caller) => {
    const wanted: Record<string, Verdict> = {};
    const given: Record<string, Verdict> = {};
    for (const route of allRoutes) {
      const name = `${route.method} ${route.path}`;
      wanted[name] = expectedVerdict(route, caller);
      given[name] = await callVerdict(route, clients.get(caller) ?? management.nobody);
    }
    expect(given).toEqual(wanted);
  });

  test('started again finds its users and settings, and tells no password', async () => {
    const told: unknown[] = [];
    const again = createManagementService(management.infrastructure, { onFirstAdmin: (admin) => told.push(admin) });
    await again.start();
    await again[Symbol.asyncDispose]();
    expect(told).toEqual([]);
    const body = { username: 'admin', password: adminPassword };
    expect(await management.nobody.status(login, { body })).toBe(200);
  });

  test('answers 413 to a body over MAX_REQUEST_SIZE_MB', async () => {
    const body = JSON.stringify({ username: 'x'.repeat(11 * 1_048_576), password: 'y' });
    expect(await management.nobody.status(login, { body })).toBe(413);
  });
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
    expect(await infrastructureOf.nobody.status(login, { body })).toBe(200);
  } finally {
    await infrastructureOf.stop();
  }
});

type Verdict = 'served' | 'sign in first' | 'not with this role' | 'fault';

function expectedVerdict(route: Route, caller: UserRole | 'nobody'): Verdict {
  // Public, and yet about a token.
  if (route.path === '/auth/refresh' && caller === 'nobody') return 'sign in first';
  if (route.role === 'public') return 'served';
  if (caller === 'nobody') return 'sign in first';
  return mayCall(caller, route.role) ? 'served' : 'not with this role';
}

/** Calls a route with ids of nothing and an empty body: whoever may call it is told what is wrong. */
async function callVerdict(route: Route, client: ApiClient): Promise<Verdict> {
  const none = 2_147_483_647;
  const params = { id: none, accessId: none, proxyId: none, policyName: 'none' };
  const status = await client.status(route, { params, ...(route.parts.body !== undefined && { body: {} }) });
  if (status === 401) return 'sign in first';
  if (status === 403) return 'not with this role';
  return status === 500 ? 'fault' : 'served';
}
