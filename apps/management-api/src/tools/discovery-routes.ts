import { createHash } from 'node:crypto';
import type { LiveEvent } from '@portcullis/contracts/events';
import { liveEventsTopic } from '@portcullis/contracts/events';
import { discoverTools } from '@portcullis/contracts/routes/mcp-tools';
import { allowsPrivateTargets } from '@portcullis/platform/config/config';
import { bind, type BoundRoute } from '@portcullis/platform/http/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { Infrastructure } from '@portcullis/platform/lifecycle/infrastructure';
import { listTargetTools, type TargetTool, type ToolListing } from '@portcullis/platform/mcp/list-target-tools';
import type { TargetAuth } from '@portcullis/contracts/routes/proxies';
import { audited } from '../audit/audited.ts';
import type { ProxyRow } from '../proxies/proxy-queries.ts';
import { listToolRows, renderTool, saveTool, type ToolRow } from './tool-queries.ts';
import { findMcpProxyOrThrow } from './tool-routes.ts';

type Parts = Pick<Infrastructure, 'database' | 'coordination' | 'config' | 'encryption'>;

export const discoveryRoutes = (parts: Parts): BoundRoute[] => [
  bind(discoverTools, async (call) => {
    const { database, coordination } = parts;
    const proxy = await findMcpProxyOrThrow(database, call.params.id);
    const offered = await askTargetOrThrow(proxy, parts);
    const found = await audited(
      database,
      call,
      async (transaction) => {
        const known = await listToolRows(transaction, proxy.id);
        const changes = compareTools(known, offered);
        const differing = new Set([...changes.new_tools, ...changes.changed_tools]);
        for (const tool of offered.filter(({ name }) => differing.has(name))) {
          await saveTool(transaction, proxy.id, definitionOf(tool));
        }
        return { ...changes, rows: await listToolRows(transaction, proxy.id) };
      },
      (changes) => ({
        event: 'mcp.tool.discovered',
        resource: { type: 'proxy', id: proxy.id, name: proxy.name },
        details: {
          discovered: offered.length,
          new_tools: changes.new_tools.slice(0, auditedNames),
          changed_tools: changes.changed_tools.slice(0, auditedNames),
          missing_tools: changes.missing_tools.slice(0, auditedNames),
        },
      }),
    );

    const { rows, ...changes } = found;
    const added = new Set(changes.new_tools);
    for (const row of rows.filter(({ name }) => added.has(name))) {
      const payload = { ...renderTool(row), proxy_id: proxy.id, proxy_name: proxy.name };
      const event: LiveEvent = { type: 'tool_discovered', payload };
      // Whoever watches finds the tool in the list all the same.
      await coordination.bus.publish(liveEventsTopic, event).catch(() => undefined);
    }
    const message = `${offered.length} tools discovered, ${changes.new_tools.length} of them new and disabled`;
    const tools = rows.map(renderTool);
    return { data: { proxy_id: proxy.id, tools, discovered: offered.length, message, ...changes }, message };
  }),
];

/** Names of each list that the audit log keeps: a target may have thousands of tools. */
const auditedNames = 100;

const failureReasons = {
  unreachable: 'target_unreachable',
  timeout: 'target_timeout',
  failed: 'target_failed',
} as const;

/** @throws {GatewayError} when the target does not answer as an MCP server does */
async function askTargetOrThrow(proxy: ProxyRow, { config, encryption }: Parts): Promise<readonly TargetTool[]> {
  if (proxy.transport !== 'http') {
    throw new GatewayError('bad_request', {
      message: `Tools are discovered over the transport http; the proxy ${JSON.stringify(proxy.name)} has ${proxy.transport}`,
    });
  }
  const auth =
    proxy.target_auth === null
      ? undefined
      : (JSON.parse(encryption.decrypt(proxy.target_auth, 'proxies.target_auth')) as TargetAuth);
  const listing: ToolListing = await listTargetTools(
    { url: proxy.target, auth: auth && asHeader(auth) },
    { allowPrivate: allowsPrivateTargets(config), connectTimeoutMs: config.TARGET_CONNECT_TIMEOUT },
  );
  if (listing.kind === 'listed') return listing.tools;
  throw new GatewayError(failureReasons[listing.kind], { message: listing.reason });
}

/** MCP servers have their keys as bearer tokens. */
const asHeader = ({ header, value }: TargetAuth) =>
  header === undefined ? { header: 'authorization', value: `Bearer ${value}` } : { header, value };

function compareTools(known: readonly ToolRow[], offered: readonly TargetTool[]) {
  const hashes = new Map(known.map((row) => [row.name, row.definition_hash]));
  const names = new Set(offered.map(({ name }) => name));
  return {
    new_tools: offered.filter(({ name }) => !hashes.has(name)).map(({ name }) => name),
    changed_tools: offered
      .filter((tool) => hashes.has(tool.name) && hashes.get(tool.name) !== definitionOf(tool).definition_hash)
      .map(({ name }) => name),
    missing_tools: known.filter(({ name }) => !names.has(name)).map(({ name }) => name),
  };
}

function definitionOf(tool: TargetTool) {
  const definition = JSON.stringify(sortKeys(tool));
  return {
    name: tool.name,
    description: typeof tool['description'] === 'string' ? tool['description'] : '',
    definition,
    definition_hash: createHash('sha256').update(definition).digest('hex'),
  };
}

/** Servers do not promise an order of keys, and a hash must not depend on it. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sortKeys(item)]));
}
