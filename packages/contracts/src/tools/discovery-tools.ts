import { Type } from 'typebox';
import { Count, Exact, Id, optional } from '../fields.ts';
import { DiscoveredProxy, ProxyClientConfig } from '../routes/mcp-discovery.ts';
import { ProxyStatus } from '../routes/proxy-lifecycle.ts';
import { defineTool } from './tool-contract.ts';

const token = (description: string) =>
  optional({ jwt_token: Type.String({ minLength: 1, maxLength: 8_192, description }) });

const login = token('Login token of the gateway; unless given the one in the header Authorization counts');
const proxyId = { proxy_id: Type.Integer({ ...Id, description: 'As list_proxies tells it' }) };
const proxyName = { proxy_id: Id, proxy_name: Type.String() };

export const listProxiesTool = defineTool({
  name: 'list_proxies',
  title: 'List MCP proxies',
  description:
    'Lists the MCP servers that this gateway offers: name, description, address, and how clients sign in. With an API key in the headers those that it may use.',
  input: Exact({}),
  output: Exact({ proxies: Type.Array(DiscoveredProxy), count: Count }),
  hints: { readOnly: true },
});

export const getProxyConfigTool = defineTool({
  name: 'get_proxy_config',
  title: 'Get the configuration of an MCP proxy',
  description:
    'Renders what an MCP client writes into its configuration (mcpServers) to use one MCP proxy of this gateway.',
  input: Exact({
    ...proxyId,
    ...token('Gateway key that the configuration shall hold, or a login token; a place for a key unless given'),
  }),
  output: Exact(ProxyClientConfig),
  hints: { readOnly: true },
});

export const getAuthUrlTool = defineTool({
  name: 'get_auth_url',
  title: 'Get the sign-in address of an MCP proxy',
  description:
    'Tells where the users of an MCP proxy sign in with OAuth. A proxy that takes gateway keys has no such address.',
  input: Exact(proxyId),
  output: Exact({ auth_url: Type.String(), ...proxyName }),
  hints: { readOnly: true },
});

export const startProxyTool = defineTool({
  name: 'start_proxy',
  title: 'Start an MCP proxy',
  description:
    'Starts an MCP proxy; it also runs again after the gateway restarts. Needs the login of an operator or an admin.',
  input: Exact({ ...proxyId, ...login }),
  output: Exact({ ...proxyName, message: Type.String() }),
  hints: { readOnly: false, idempotent: true },
});

export const stopProxyTool = defineTool({
  name: 'stop_proxy',
  title: 'Stop an MCP proxy',
  description: 'Stops an MCP proxy once the calls under way are done. Needs the login of an operator or an admin.',
  input: Exact({ ...proxyId, ...login }),
  output: Exact({ ...proxyName, message: Type.String() }),
  hints: { readOnly: false, destructive: true, idempotent: true },
});

export const getProxyStatusTool = defineTool({
  name: 'get_proxy_status',
  title: 'Get the status of an MCP proxy',
  description: 'Tells whether an MCP proxy runs, since when, and what is wrong with it or its target. Needs a login.',
  input: Exact({ ...proxyId, ...login }),
  output: Exact({ ...proxyName, status: ProxyStatus }),
  hints: { readOnly: true },
});
