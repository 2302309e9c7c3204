import { getToolStats, listTools, switchTool, switchTools } from '@portcullis/contracts/routes/mcp-tools';
import type { Database, Queryable } from '@portcullis/platform/database/database';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { audited } from '@portcullis/platform/audit/audited';
import { findProxyOrThrow } from '../proxies/proxy-problems.ts';
import type { ProxyRow } from '../proxies/proxy-queries.ts';
import {
  listToolRows,
  listToolRowsNamed,
  loadToolStats,
  renderTool,
  updateTools,
  type ToolRow,
} from './tool-queries.ts';

export const toolRoutes = (database: Database): BoundRoute[] => [
  bind(listTools, async ({ params }) => {
    await findMcpProxyOrThrow(database, params.id);
    const tools = (await listToolRows(database, params.id)).map(renderTool);
    return { data: { proxy_id: params.id, tools, count: tools.length } };
  }),

  bind(getToolStats, async ({ params }) => {
    await findMcpProxyOrThrow(database, params.id);
    return { data: { proxy_id: params.id, stats: await loadToolStats(database, params.id) } };
  }),

  bind(switchTool, async (call) => {
    const { params, body } = call;
    const { after } = await audited(
      database,
      call,
      async (transaction) => {
        const changed = await switchNamed(transaction, params.id, [params.toolName], body);
        return { before: firstOf(changed.before), after: firstOf(changed.after) };
      },
      (change) => ({
        event: body.enabled === undefined ? 'mcp.tool.updated' : switchEvent(body.enabled),
        resource: { type: 'mcp_tool', id: change.after.id, name: change.after.name },
        details: { proxy_id: params.id },
        before: renderTool(change.before),
        after: renderTool(change.after),
      }),
    );
    const done = body.enabled === undefined ? 'updated' : body.enabled ? 'enabled' : 'disabled';
    return { data: renderTool(after), message: `Tool ${done}` };
  }),

  bind(switchTools, async (call) => {
    const { params, body } = call;
    const { after } = await audited(
      database,
      call,
      (transaction) => switchNamed(transaction, params.id, body.tool_names, { enabled: body.enabled }),
      ({ before }) => ({
        event: 'mcp.tool.bulk.updated',
        resource: { type: 'proxy', id: params.id, name: null },
        details: {
          enabled: body.enabled,
          tool_names: body.tool_names,
          changed: before.filter(({ enabled }) => enabled !== body.enabled).map(({ name }) => name),
        },
      }),
    );
    const done = `${after.length} tools ${body.enabled ? 'enabled' : 'disabled'}`;
    return { data: { proxy_id: params.id, tools: after.map(renderTool), updated: after.length }, message: done };
  }),
];

/** @throws {GatewayError} when there is no such proxy, or it is not an MCP proxy: others have no tools */
export async function findMcpProxyOrThrow(database: Queryable, id: number): Promise<ProxyRow> {
  const proxy = await findProxyOrThrow(database, id);
  if (proxy.type === 'mcp') return proxy;
  throw new GatewayError('bad_request', { message: `The proxy ${JSON.stringify(proxy.name)} is not an MCP proxy` });
}

const switchEvent = (enabled: boolean) => (enabled ? 'mcp.tool.enabled' : 'mcp.tool.disabled');

interface ToolSwitch {
  readonly enabled?: boolean;
  readonly rate_limit?: number;
}

/** All of them or none. @throws {GatewayError} that names every tool which does not exist, or waits for a decision */
async function switchNamed(
  transaction: Queryable,
  proxyId: number,
  names: readonly string[],
  change: ToolSwitch,
): Promise<{ readonly before: readonly ToolRow[]; readonly after: readonly ToolRow[] }> {
  await findMcpProxyOrThrow(transaction, proxyId);
  const before = await listToolRowsNamed(transaction, proxyId, names);
  const missing = names.filter((name) => !before.some((tool) => tool.name === name));
  if (missing.length > 0) {
    const listed = missing.slice(0, 20).map((name) => JSON.stringify(name));
    throw new GatewayError('not_found', { message: `Proxy ${proxyId} has no tool ${listed.join(', ')}` });
  }
  const held = change.enabled === true ? before.filter((tool) => tool.held) : [];
  if (held.length > 0) {
    const listed = held.slice(0, 20).map(({ name }) => JSON.stringify(name));
    throw new GatewayError('conflict', { message: `Decide first about the changes of ${listed.join(', ')}` });
  }
  await updateTools(
    transaction,
    before.map(({ id }) => id),
    change,
  );
  return { before, after: before.map((tool) => ({ ...tool, ...change })) };
}

function firstOf(tools: readonly ToolRow[]): ToolRow {
  const [tool] = tools;
  if (tool === undefined) throw new Error('A tool vanished while it was switched');
  return tool;
}
