import { allRoutes } from '../../../packages/contracts/src/all-routes.ts';
import type { Route } from '../../../packages/contracts/src/route.ts';
import { judge, type Attack } from '../attack.ts';

/** No row has this id, and no route takes this body: one that answers wrongly must not do harm. */
const none = '2147483647';
const body = JSON.stringify({ security: 'this field is unknown' });

async function statusOf(url: string, { method, path, absolute }: Route, headers: Readonly<Record<string, string>>) {
  const place = path.replaceAll(/:\w+/g, none);
  const response = await fetch(`${url}${absolute === true ? '' : '/api/v1'}${place}`, {
    method,
    redirect: 'manual',
    headers: { 'content-type': 'application/json', ...headers },
    ...(method !== 'GET' && { body }),
  });
  await response.arrayBuffer();
  return response.status;
}

const tryAll = async (
  url: string,
  routes: readonly Route[],
  wanted: number,
  headers = {},
): Promise<readonly string[]> => {
  const faults: string[] = [];
  for (const route of routes) {
    const status = await statusOf(url, route, headers);
    if (status !== wanted) faults.push(`${route.method} ${route.path} answered ${status}`);
  }
  return faults;
};

const closed = allRoutes.filter(({ role }) => role !== 'public');
const beyondViewers = closed.filter(({ role }) => role === 'operator' || role === 'admin');

export const forbiddenRoutes: readonly Attack[] = [
  {
    name: 'every route of the API without a login, and with an unsigned token',
    attacker: 'stranger',
    expected: '401 for all that are not public',
    async run({ url }) {
      const parts = [{ alg: 'none' }, { sub: '1', role: 'admin', exp: 9_999_999_999 }];
      const unsigned = `${parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`;
      const faults = [
        ...(await tryAll(url, closed, 401)),
        ...(await tryAll(url, closed, 401, { authorization: `Bearer ${unsigned}` })),
      ];
      return judge(faults, `401 from ${closed.length} routes, twice`);
    },
  },
  {
    name: 'every route of operators and admins as a viewer',
    attacker: 'viewer',
    expected: '403 for all of them',
    async run({ url, viewer }) {
      const faults = await tryAll(url, beyondViewers, 403, { authorization: `Bearer ${viewer.token}` });
      return judge(faults, `403 from ${beyondViewers.length} routes`);
    },
  },
];
