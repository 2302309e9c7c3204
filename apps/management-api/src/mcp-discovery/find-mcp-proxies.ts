import type { Database } from '@portcullis/platform/database/database';
import type { Caller } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { findProxy, listProxyRows, type ProxyRow } from '../proxies/proxy-queries.ts';
import { checkScopeOrThrow, groupOf } from '../proxies/proxy-scope.ts';

/** Those that are enabled; of an API key those that it may use. */
export const listMcpProxies = (database: Database, caller: Caller | undefined): Promise<ProxyRow[]> =>
  listProxyRows(database, { type: 'mcp', enabled: true, groupId: groupOf(caller) });

/** @throws {GatewayError} `access_denied` to an API key of another group, `not_found` for what is no MCP proxy or not enabled */
export async function findMcpProxyOrThrow(
  database: Database,
  caller: Caller | undefined,
  id: number,
): Promise<ProxyRow> {
  await checkScopeOrThrow(database, caller, id);
  const proxy = await findProxy(database, id);
  if (proxy?.type === 'mcp' && proxy.enabled) return proxy;
  throw new GatewayError('not_found', { message: `There is no enabled MCP proxy ${id}` });
}
