import {
  getProxyStatus,
  listProxyStatuses,
  restartProxy,
  startProxy,
  stopProxy,
} from '@portcullis/contracts/routes/proxy-lifecycle';
import type { Database } from '@portcullis/platform/database/database';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import type { CommandProxy } from './proxy-commands.ts';
import { unknownProxy } from './proxy-problems.ts';
import { checkScopeOrThrow, groupOf } from './proxy-scope.ts';
import { findStatus, listStatuses, renderStatus } from './status-queries.ts';

export const lifecycleRoutes = (database: Database, command: CommandProxy): BoundRoute[] => [
  bind(startProxy, async (call) => ({ message: await command(call.params.id, 'start', call) })),
  bind(stopProxy, async (call) => ({ message: await command(call.params.id, 'stop', call) })),
  bind(restartProxy, async (call) => ({ message: await command(call.params.id, 'restart', call) })),

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
