import type { McpDefinition } from '@portcullis/platform/mcp-server/mcp-definition';
import { createMcpEndpoint } from '@portcullis/platform/mcp-server/mcp-endpoint';
import type { ServicePart } from '@portcullis/platform/service/service-part';
import { loadMcpServerSettings } from '@portcullis/platform/settings/load-settings';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CommandProxy } from '../proxies/proxy-commands.ts';
import type { ServiceApi } from '@portcullis/platform/service/service-api';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import type { Logger } from '@portcullis/platform/log/logger';
import { discoveryTools } from './discovery-tools.ts';

const path = '/mcp';
const mounted = /^\/api\/v1\/mcp\/?(?:\?|$)/i;
const root = /^\/(?:\?|$)/;

/** Clients of older gateways send their messages to the root of the management port. */
const isMessageToRoot = ({ url = '', method, headers }: IncomingMessage): boolean =>
  method === 'POST' && root.test(url) && headers['content-type']?.startsWith('application/json') === true;

/** Arguments are an id and a token. */
const maxBodyBytes = 65_536;

const instructions =
  'Lists the MCP servers that this security gateway offers, and renders the configuration to use one. Call list_proxies first. Starting and stopping a server needs the login of an operator.';

/** The MCP server that tells which MCP proxies there are. */
export interface DiscoveryServer extends ServicePart {
  /** Serves a request to its place; false for one that is none of its. */
  serve(request: IncomingMessage, response: ServerResponse): boolean;
}

interface DiscoveryParts {
  readonly infrastructure: Infrastructure;
  readonly api: ServiceApi;
  readonly log: Logger;
  readonly command: CommandProxy;
}

export function createDiscoveryServer({ infrastructure, api, log, command }: DiscoveryParts): DiscoveryServer {
  const definition: McpDefinition = {
    name: 'portcullis-discovery',
    title: 'Portcullis discovery',
    instructions,
    tools: discoveryTools({ ...infrastructure, command }),
  };
  const loadSettings = () => loadMcpServerSettings(infrastructure.database);
  const endpoint = createMcpEndpoint({ infrastructure, api, log, loadSettings, definition, path, maxBodyBytes });
  return {
    ...endpoint,
    serve(request, response) {
      if (!mounted.test(request.url ?? '') && !isMessageToRoot(request)) return false;
      endpoint.serve(request, response);
      return true;
    },
  };
}
