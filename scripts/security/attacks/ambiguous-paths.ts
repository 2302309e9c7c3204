import { allRoutes } from '../../../packages/contracts/src/all-routes.ts';
import type { Route } from '../../../packages/contracts/src/route.ts';
import { ask, type Door } from '../send-question.ts';
import { judge, type Attack } from '../attack.ts';

/** No row has this id, and no route takes this body: one that answers wrongly must not do harm. */
const none = '2147483647';
const body = JSON.stringify({ security: 'this field is unknown' });

const placeOf = ({ path, absolute }: Route): string =>
  `${absolute === true ? '' : '/api/v1'}${path.replaceAll(/:\w+/g, none)}`;

/** What one reader takes for the path of a route, and another one for that of something which is open. */
const spellings: readonly ((path: string) => string)[] = [
  (path) => `/api/v1/health/..${path.slice('/api/v1'.length)}`,
  (path) => `/api/v1/agents/%2e%2e${path.slice('/api/v1'.length)}`,
  (path) => String.raw`/api/v1/health\..${path}`,
  (path) => `/${path}`,
  (path) => `//api/v1/health${path}`,
  (path) => `${path}#/api/v1/health`,
  (path) => `http://gateway.example/api/v1/health/../..${path}`,
  (path) => `http://gateway.example${path}`,
  (path) => `${path};/api/v1/health`,
  (path) => path.replace('/v1/', '/v1;a=b/'),
  (path) => path.toUpperCase(),
  (path) => `${path}%00`,
  (path) => path.replace('/v1/', '/v1%2f'),
];
const hosts = ['/api/v1/health#', 'a@/api/v1/health?', String.raw`\api\v1\health\%00`];

/** Refused for want of a login, as no path, or as none that exists. */
const refusals: ReadonlySet<number> = new Set([400, 401, 404, 405]);

export const ambiguousPaths: readonly Attack[] = [
  {
    name: 'every route of the API by a path or a host that readers take for another, without a login',
    attacker: 'stranger',
    expected: '400, 401, 404 or 405 for all of them; letter case and a whole address are good ways to call a route',
    async run({ url, admin }) {
      const door: Door = { port: Number(new URL(url).port), key: '' };
      const faults: string[] = [];
      let tried = 0;
      const send = async (route: Route, path: string, headers: Readonly<Record<string, string>> = {}) => {
        const { method } = route;
        const { status } = await ask(door, {
          method,
          path,
          headers: { 'content-type': 'application/json', ...headers },
          ...(method !== 'GET' && { body }),
        });
        tried += 1;
        if (!refusals.has(status)) faults.push(`${method} ${path} ${JSON.stringify(headers)} answered ${status}`);
      };
      const closed = allRoutes.filter(({ role }) => role !== 'public');
      for (const route of closed) {
        const path = placeOf(route);
        await Promise.all(spellings.map((spell) => send(route, spell(path))));
        await Promise.all(hosts.map((host) => send(route, path, { host })));
      }
      const authorization = `Bearer ${admin.token}`;
      for (const path of ['/API/V1/Proxies', 'http://gateway.example/api/v1/proxies']) {
        const { status } = await ask(door, { path, headers: { authorization, host: 'gateway.example' } });
        if (status !== 200) faults.push(`${path} of an admin answered ${status}`);
      }
      return judge(faults, `${tried} refused`);
    },
  },
];
