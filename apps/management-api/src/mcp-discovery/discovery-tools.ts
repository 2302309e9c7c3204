import {
  getAuthUrlTool,
  getProxyConfigTool,
  getProxyStatusTool,
  listProxiesTool,
  startProxyTool,
  stopProxyTool,
} from '@portcullis/contracts/tools/discovery-tools';
import { getProxyStatus, startProxy } from '@portcullis/contracts/routes/proxy-lifecycle';
import { mayCall } from '@portcullis/contracts/route-access';
import type { Route } from '@portcullis/contracts/route';
import type { Config } from '@portcullis/platform/config/config';
import type { Database } from '@portcullis/platform/database/database';
import type { Caller } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { publicBaseOf } from '@portcullis/platform/config/public-base';
import { bindTool, type McpCall, type McpTool } from '@portcullis/platform/mcp-server/mcp-tool';
import type { CommandProxy } from '../proxies/proxy-commands.ts';
import { unknownProxy } from '../proxies/proxy-problems.ts';
import { findStatus, renderStatus } from '../proxies/status-queries.ts';
import { renderClientConfig, renderDiscovered } from './client-config.ts';
import { findAuthUrl } from './find-sign-in.ts';
import { findMcpProxyOrThrow, listMcpProxies } from './find-mcp-proxies.ts';
import { gatewayAddressOf } from './gateway-address.ts';

export interface DiscoveryToolParts {
  readonly database: Database;
  readonly config: Config;
  readonly command: CommandProxy;
}

/** What clients find MCP proxies with, and operators run them. */
export const discoveryTools = (parts: DiscoveryToolParts): readonly McpTool[] => [
  bindListProxies(parts),
  bindGetConfig(parts),
  bindGetAuthUrl(parts),
  bindCommand(parts, 'start'),
  bindCommand(parts, 'stop'),
  bindGetStatus(parts),
];

const bindListProxies = ({ database, config }: DiscoveryToolParts): McpTool =>
  bindTool(listProxiesTool, async (_input, call) => {
    const rows = await listMcpProxies(database, await call.identify());
    const proxies = rows.map((row) => renderDiscovered(row, gatewayAddressOf(config, call.calledOrigin)));
    return { data: { proxies, count: proxies.length } };
  });

const bindGetConfig = ({ database, config }: DiscoveryToolParts): McpTool =>
  bindTool(getProxyConfigTool, async ({ proxy_id: id, jwt_token: given }, call) => {
    const caller = await call.identify(given);
    const proxy = await findMcpProxyOrThrow(database, caller, id);
    // The ports of proxies take keys. A login token in a file would be of no use there.
    const key = caller?.kind === 'api_key' ? given : undefined;
    const rendered = renderClientConfig([proxy], gatewayAddressOf(config, call.calledOrigin), key);
    return { data: { proxy_id: proxy.id, proxy_name: proxy.name, config: rendered } };
  });

const bindGetAuthUrl = ({ database, config }: DiscoveryToolParts): McpTool =>
  bindTool(getAuthUrlTool, async ({ proxy_id: id }, call) => {
    const proxy = await findMcpProxyOrThrow(database, await call.identify(), id);
    const authUrl = await findAuthUrl(database, proxy, publicBaseOf(config));
    if (authUrl !== undefined) return { data: { auth_url: authUrl, proxy_id: proxy.id, proxy_name: proxy.name } };
    throw new GatewayError('conflict', {
      message: `The proxy ${JSON.stringify(proxy.name)} does not use OAuth: clients send a gateway key in X-API-Key or Authorization: Bearer`,
    });
  });

const bindCommand = ({ database, command }: DiscoveryToolParts, name: 'start' | 'stop'): McpTool =>
  bindTool(name === 'start' ? startProxyTool : stopProxyTool, async ({ proxy_id: id, jwt_token: given }, call) => {
    const caller = await admitOrThrow(call, given, startProxy);
    const proxy = await findMcpProxyOrThrow(database, caller, id);
    const { clientAddress: clientIp, userAgent, requestId } = call;
    const message = await command(id, name, { caller, clientIp, userAgent, requestId });
    return { data: { proxy_id: id, proxy_name: proxy.name, message } };
  });

const bindGetStatus = ({ database }: DiscoveryToolParts): McpTool =>
  bindTool(getProxyStatusTool, async ({ proxy_id: id, jwt_token: given }, call) => {
    const caller = await admitOrThrow(call, given, getProxyStatus);
    const proxy = await findMcpProxyOrThrow(database, caller, id);
    const row = await findStatus(database, id);
    if (row === undefined) throw unknownProxy(id);
    return { data: { proxy_id: id, proxy_name: proxy.name, status: renderStatus(row, new Date()) } };
  });

/** Lets pass who may call the route that does the same. @throws {GatewayError} */
async function admitOrThrow(
  call: McpCall,
  given: string | undefined,
  { role, acceptsApiKey }: Pick<Route, 'role' | 'acceptsApiKey'>,
): Promise<Caller> {
  const caller = await call.identify(given);
  if (caller === undefined) {
    throw new GatewayError('unauthorized', {
      message: 'Send a login token in the argument jwt_token, or in the header Authorization: Bearer',
    });
  }
  const isAdmitted =
    caller.kind === 'api_key' ? acceptsApiKey === true : role === 'public' || mayCall(caller.role, role);
  if (!isAdmitted) throw new GatewayError('forbidden', { message: `This needs a login with the role ${role}` });
  return caller;
}
