import { createProxy, deleteProxy, getProxy, listProxies, updateProxy } from '@portcullis/contracts/routes/proxies';
import { bind, type BoundRoute } from '@portcullis/platform/http/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { Infrastructure } from '@portcullis/platform/lifecycle/infrastructure';
import { listAssignments } from './proxy-policy-queries.ts';
import { checkProxyOrThrow, refuseTaken, unknownProxy } from './proxy-problems.ts';
import { deleteStoppedProxy, findProxy, insertProxy, listProxyRows, updateProxyRow } from './proxy-queries.ts';
import { checkScopeOrThrow, groupOf } from './proxy-scope.ts';
import { renderProxy } from './render-proxy.ts';

export function proxyRoutes({
  database,
  encryption,
  config,
}: Pick<Infrastructure, 'database' | 'encryption' | 'config'>): BoundRoute[] {
  const show = async (id: number) => {
    const row = await findProxy(database, id);
    if (row === undefined) throw unknownProxy(id);
    return renderProxy(row, await listAssignments(database, [id]));
  };

  return [
    bind(listProxies, async ({ query, caller }) => {
      const rows = await listProxyRows(database, { ...query, groupId: groupOf(caller) });
      const assignments = await listAssignments(
        database,
        rows.map(({ id }) => id),
      );
      return { data: rows.map((row) => renderProxy(row, assignments)) };
    }),

    bind(createProxy, async ({ body }) => {
      checkProxyOrThrow(body, config);
      const id = await insertProxy(database, body, encryption).catch((error: unknown) =>
        refuseTaken(error, database, body),
      );
      return { data: await show(id), message: 'Proxy created' };
    }),

    bind(getProxy, async ({ params, caller }) => {
      await checkScopeOrThrow(database, caller, params.id);
      return { data: await show(params.id) };
    }),

    bind(updateProxy, async ({ params, body }) => {
      checkProxyOrThrow(body, config);
      const found = await updateProxyRow(database, params.id, body, encryption).catch((error: unknown) =>
        refuseTaken(error, database, body),
      );
      if (!found) throw unknownProxy(params.id);
      return { data: await show(params.id), message: 'Proxy updated' };
    }),

    bind(deleteProxy, async ({ params }) => {
      if (await deleteStoppedProxy(database, params.id)) return { message: 'Proxy deleted' };
      const row = await findProxy(database, params.id);
      if (row === undefined) throw unknownProxy(params.id);
      throw new GatewayError('conflict', { message: `Stop the proxy ${JSON.stringify(row.name)} before deleting it` });
    }),
  ];
}
