import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { managementRoutes, servicesRoutes } from '@portcullis/contracts/all-routes';
import type { Route } from '@portcullis/contracts/route';
import { accessOf, callers, type CallerKind, type RouteAccess } from '@portcullis/contracts/route-access';
import { createApiKey } from '@portcullis/contracts/routes/api-keys';
import { me } from '@portcullis/contracts/routes/auth';
import { createProxy } from '@portcullis/contracts/routes/proxies';
import { grantProxyAccess } from '@portcullis/contracts/routes/proxy-access';
import { createUserGroup } from '@portcullis/contracts/routes/user-groups';
import { mountedPath } from '@portcullis/platform/routes/mount-routes';
import type { ApiClient } from '../test/api-client.ts';
import { startManagement, stores, type TestManagement } from '../test/start-management.ts';

const none = 2_147_483_647;

describe.each(stores)('every route of the contract (%s)', (store) => {
  let management: TestManagement;
  /** Keys of the group that may use `proxyId`, and of a group that may not. */
  let key: string;
  let otherKey: string;
  let proxyId: number;
  beforeAll(async () => {
    management = await startManagement(store);
    const createKey = async (name: string) => {
      const group = await management.admin.data(createUserGroup, { body: { name } });
      return { group, key: (await management.admin.data(createApiKey, { body: { user_group_id: group.id } })).key };
    };
    const own = await createKey('own');
    const body = { name: 'one', type: 'llm', target: 'http://127.0.0.1:9', port: 23_900 } as const;
    proxyId = (await management.admin.data(createProxy, { body })).id;
    await management.admin.data(grantProxyAccess, { params: own.group, body: { proxy_id: proxyId } });
    key = own.key;
    otherKey = (await createKey('other')).key;
  });
  afterAll(() => management.stop());

  const clients = new Map<CallerKind, ApiClient>();
  /** Signed in anew when a call before has ended the login, as the logout does. */
  const clientOf = async (caller: CallerKind): Promise<ApiClient> => {
    if (caller === 'anonymous') return management.anonymous;
    if (caller === 'api_key') return management.anonymous.withKey(key);
    const known = clients.get(caller);
    if (known !== undefined && (await known.status(me)) === 200) return known;
    const client = management.anonymous.as(await management.signIn(caller));
    clients.set(caller, client);
    return client;
  };

  test.each(callers)('serves %s what the contract says', async (caller) => {
    const wanted: Record<string, RouteAccess> = {};
    const given: Record<string, RouteAccess | number> = {};
    for (const route of managementRoutes) {
      const name = `${route.method} ${route.path}`;
      wanted[name] = accessOf(route, caller);
      given[name] = readAccess(await call(route, await clientOf(caller), caller === 'api_key' ? proxyId : none));
    }
    expect(given).toEqual(wanted);
  });

  test('keeps routes of services that are not there yet closed, and tells who may call them that they are away', async () => {
    const statusOf = async (route: Route, headers: Record<string, string>): Promise<number> => {
      const path = mountedPath(route).replaceAll(/:\w+/g, String(none));
      return (await fetch(`${management.origin}${path}`, { method: route.method, headers })).status;
    };
    const authorization = `Bearer ${await management.signIn('admin')}`;
    for (const route of servicesRoutes) {
      const wanted = accessOf(route, 'anonymous') === 'passes' ? 503 : 401;
      const given = [await statusOf(route, {}), await statusOf(route, { authorization })];
      expect([route.path, ...given]).toEqual([route.path, wanted, 503]);
    }
  });

  test('shows a key nothing of another group', async () => {
    const client = management.anonymous.withKey(otherKey);
    for (const route of managementRoutes.filter(({ acceptsApiKey }) => acceptsApiKey === true)) {
      const status = await call(route, client, proxyId);
      // A list is empty, a single proxy is refused.
      expect([route.path, status]).toEqual([route.path, route.parts.params === undefined ? 200 : 403]);
    }
  });
});

/** Calls a route with ids of nothing, or of a proxy, and an empty body: a caller who may call it is told what is wrong. */
const call = (route: Route, client: ApiClient, id: number): Promise<number> =>
  client.status(route, { params: paramsOf(route, id), ...(route.parts.body !== undefined && { body: {} }) });

/** A value for each part of the path, a number unless the schema wants none. */
const paramsOf = ({ path }: Route, id: number) =>
  Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name]) => [name, id]));

function readAccess(status: number): RouteAccess | number {
  if (status === 401) return 'unauthorized';
  if (status === 403) return 'forbidden';
  return status === 500 ? status : 'passes';
}
