import {
  getProxyStatus,
  listProxyStatuses,
  restartProxy,
  startProxy,
  stopProxy,
} from '@portcullis/contracts/routes/proxy-lifecycle';
import type { Database } from '@portcullis/platform/database/database';
import { bind, type BoundRoute } from '@portcullis/platform/http/bound-route';
import type { ProxyControl } from './proxy-control.ts';
import { unknownProxy } from './proxy-problems.ts';
import { checkScopeOrThrow, groupOf } from './proxy-scope.ts';
import { findStatus, listStatuses, renderStatus } from './status-queries.ts';

export const lifecycleRoutes = (database: Database, control: ProxyControl): BoundRoute[] => [
  bind(startProxy, async (call) => {
    await control(call.params.id, 'start', call);
    return { message: 'Proxy started' };
  }),

  bind(stopProxy, async (call) => {
    await control(call.params.id, 'stop', call);
    return { message: 'Proxy stopped' };
  }),

  bind(restartProxy, async (call) => {
    await control(call.params.id, 'restart', call);
    return { message: 'Proxy restarted' };
  }),

  bind(getProxyStatus, async ({ params, caller }) => {
    await checkScopeOrThrow(database, caller, params.id);
    const row = await findStatus(database, params.id);
    if (row === undefined) throw unknownProxy(params.id);
    return { data: renderStatus(row, new Date()) };
  }),

  bind(listProxyStatuses, async ({ caller }) => ({
    data: (await listStatuses(database, groupOf(caller))).map(({ id, name, type, running, port }) => ({
      id,
      name,
      type,
      running,
      port,
    })),
  })),
];
