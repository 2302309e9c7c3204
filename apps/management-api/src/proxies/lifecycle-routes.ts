import {
  getProxyStatus,
  listProxyStatuses,
  restartProxy,
  startProxy,
  stopProxy,
} from '@portcullis/contracts/routes/proxy-lifecycle';
import type { Database } from '@portcullis/platform/database/database';
import type { AddressRule } from '@portcullis/platform/http/address-guard';
import { bind, type BoundRoute } from '@portcullis/platform/http/bound-route';
import { checkHostOrThrow, withNote } from '@portcullis/platform/http/check-host';
import type { ProxyControl } from './proxy-control.ts';
import { unknownProxy } from './proxy-problems.ts';
import { findProxy } from './proxy-queries.ts';
import { checkScopeOrThrow, groupOf } from './proxy-scope.ts';
import { findStatus, listStatuses, renderStatus } from './status-queries.ts';

export const lifecycleRoutes = (database: Database, control: ProxyControl, rule: AddressRule): BoundRoute[] => [
  bind(startProxy, async (call) => {
    const note = await checkTargetOrThrow(database, call.params.id, rule);
    await control(call.params.id, 'start', call);
    return { message: withNote('Proxy started', note) };
  }),

  bind(stopProxy, async (call) => {
    await control(call.params.id, 'stop', call);
    return { message: 'Proxy stopped' };
  }),

  bind(restartProxy, async (call) => {
    const note = await checkTargetOrThrow(database, call.params.id, rule);
    await control(call.params.id, 'restart', call);
    return { message: withNote('Proxy restarted', note) };
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

/** A target that could be reached when it was saved may lead elsewhere by now, or the settings do. */
async function checkTargetOrThrow(database: Database, id: number, rule: AddressRule): Promise<string | undefined> {
  const proxy = await findProxy(database, id);
  return proxy && checkHostOrThrow(proxy.target, rule);
}
