import { Type, type Static } from 'typebox';
import { ById, Count, Exact, Id, optional } from '../fields.ts';
import { createRouteList } from '../route.ts';

export const routes = createRouteList('MCP discovery');

export const DiscoveredProxy = Exact(
  {
    id: Id,
    name: Type.String(),
    description: Type.String(),
    port: Type.Integer(),
    url: Type.String({ description: 'Where MCP clients reach it' }),
    oauth_enabled: Type.Boolean({ description: 'Whether clients can sign their users in with OAuth' }),
    auth_type: Type.Enum(['none', 'standard'], {
      description:
        'standard: clients find the authorization server by the metadata of the proxy, and keys go on working. none: clients send a gateway key in X-API-Key or Authorization: Bearer',
    }),
  },
  { title: 'DiscoveredProxy' },
);
export type DiscoveredProxy = Static<typeof DiscoveredProxy>;

export const McpClientConfig = Exact(
  {
    mcpServers: Type.Record(
      Type.String(),
      Exact({
        url: Type.String(),
        ...optional({
          headers: Type.Record(Type.String(), Type.String(), {
            description: 'Put a gateway key in the place of <API_KEY>. Absent where clients sign their users in',
          }),
        }),
      }),
      { description: 'By the name of the proxy' },
    ),
  },
  { title: 'McpClientConfig' },
);
export type McpClientConfig = Static<typeof McpClientConfig>;

export const ProxyClientConfig = { proxy_id: Id, proxy_name: Type.String(), config: McpClientConfig };

export const discoverProxies = routes.define({
  method: 'GET',
  path: '/mcp/discover',
  role: 'public',
  summary: 'List the enabled MCP proxies; with an API key those that it may use',
  parts: { response: Exact({ proxies: Type.Array(DiscoveredProxy), count: Count }) },
  errors: [
    'invalid_token',
    'key_missing',
    'key_unknown',
    'key_revoked',
    'key_expired',
    'group_inactive',
    'service_unavailable',
  ],
});

export const getMcpConfig = routes.define({
  method: 'GET',
  path: '/mcp/config',
  role: 'viewer',
  acceptsApiKey: true,
  summary:
    'Render the configuration of an MCP client for all enabled MCP proxies; with an API key for those that it may use',
  parts: { response: Exact({ config: McpClientConfig }) },
});

export const getMcpProxyConfig = routes.define({
  method: 'GET',
  path: '/mcp/config/:id',
  role: 'viewer',
  acceptsApiKey: true,
  summary: 'Render the configuration of an MCP client for one MCP proxy',
  parts: { params: ById, response: Exact(ProxyClientConfig) },
  errors: ['not_found', 'access_denied'],
});
