import { discoverProxies, getMcpConfig, getMcpProxyConfig } from '@portcullis/contracts/routes/mcp-discovery';
import { findPresentedKey } from '@portcullis/core/identity/presented-key';
import type { Config } from '@portcullis/platform/config/config';
import type { Database } from '@portcullis/platform/database/database';
import { bind, type BoundRoute, type Call, type Caller } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { isLoginToken, type Authentication } from '@portcullis/platform/routes/role-check';
import { loadMcpServerSettings } from '@portcullis/platform/settings/load-settings';
import type { RouteParts } from '@portcullis/contracts/route';
import { renderClientConfig, renderDiscovered } from './client-config.ts';
import { findMcpProxyOrThrow, listMcpProxies } from './find-mcp-proxies.ts';
import { gatewayAddressOf } from './gateway-address.ts';

interface DiscoveryParts {
  readonly database: Database;
  readonly config: Config;
  readonly authentication: Authentication;
}

export const mcpDiscoveryRoutes = ({ database, config, authentication }: DiscoveryParts): BoundRoute[] => [
  bind(discoverProxies, async (call) => {
    const caller = await findCaller(authentication, call);
    if (caller === undefined && (await loadMcpServerSettings(database)).require_auth) {
      throw new GatewayError('key_missing', { message: 'The setting mcp_servers.require_auth is on' });
    }
    const rows = await listMcpProxies(database, caller);
    const proxies = rows.map((row) => renderDiscovered(row, gatewayAddressOf(config, call.calledOrigin)));
    return { data: { proxies, count: proxies.length } };
  }),

  bind(getMcpConfig, async ({ caller, calledOrigin }) => {
    const proxies = await listMcpProxies(database, caller);
    return { data: { config: renderClientConfig(proxies, gatewayAddressOf(config, calledOrigin)) } };
  }),

  bind(getMcpProxyConfig, async ({ params, caller, calledOrigin }) => {
    const proxy = await findMcpProxyOrThrow(database, caller, params.id);
    const rendered = renderClientConfig([proxy], gatewayAddressOf(config, calledOrigin));
    return { data: { proxy_id: proxy.id, proxy_name: proxy.name, config: rendered } };
  }),
];

/** Who presents a login or a key; clients need not. @throws {GatewayError} when it is not good */
async function findCaller(
  authentication: Authentication,
  { header }: Pick<Call<RouteParts>, 'header'>,
): Promise<Caller | undefined> {
  const presented = findPresentedKey({ 'x-api-key': header?.('x-api-key'), authorization: header?.('authorization') });
  if (presented === undefined) return undefined;
  return isLoginToken(presented) ? authentication.user(presented.token) : authentication.apiKey(presented.token);
}
