import { Type, type Static } from 'typebox';
import { ById, Count, Exact, Id, Timestamp } from '../fields.ts';
import { defineRoute } from '../route.ts';

const tag = 'MCP tools';

const maxToolNameLength = 256;

const ToolName = Type.String({ minLength: 1, maxLength: maxToolNameLength });

export const McpTool = Exact(
  {
    id: Id,
    name: ToolName,
    description: Type.String(),
    enabled: Type.Boolean({ description: 'Newly discovered tools are not' }),
    discovered_at: Timestamp,
  },
  { title: 'McpTool' },
);
export type McpTool = Static<typeof McpTool>;

const Tools = Type.Array(McpTool);
const Names = Type.Array(Type.String());

export const ToolStats = Exact(
  {
    total_tools: Count,
    enabled_tools: Count,
    disabled_tools: Count,
    most_used_tools: Type.Array(Exact({ name: Type.String(), usage_count: Count })),
  },
  { title: 'ToolStats' },
);
export type ToolStats = Static<typeof ToolStats>;

export const listTools = defineRoute({
  method: 'GET',
  path: '/proxies/:id/tools',
  role: 'viewer',
  summary: 'List the tools of an MCP proxy; other proxies answer 400',
  tag,
  parts: { params: ById, response: Exact({ proxy_id: Id, tools: Tools, count: Count }) },
  errors: ['not_found'],
});

export const discoverTools = defineRoute({
  method: 'POST',
  path: '/proxies/:id/tools/discover',
  role: 'admin',
  summary: "Ask an MCP proxy's target for its tools: new ones are stored disabled, known ones keep their switch",
  tag,
  parts: {
    params: ById,
    response: Exact({
      proxy_id: Id,
      tools: Tools,
      discovered: Type.Integer({ minimum: 0, description: 'How many tools the target has' }),
      message: Type.String(),
      new_tools: Names,
      changed_tools: Type.Array(Type.String(), { description: 'Whose definition differs from the one stored' }),
      missing_tools: Type.Array(Type.String(), { description: 'Stored, but no longer offered by the target' }),
    }),
  },
  errors: ['not_found', 'target_unreachable', 'target_failed', 'target_timeout'],
  audit: 'mcp.tool.discovered',
});

export const switchTool = defineRoute({
  method: 'PUT',
  path: '/proxies/:id/tools/:toolName',
  role: 'admin',
  summary: 'Switch a tool on or off; a name that is not plain is percent-encoded in the path',
  tag,
  parts: {
    params: Exact({ id: Id, toolName: ToolName }),
    body: Exact({ enabled: Type.Boolean() }),
    response: McpTool,
  },
  errors: ['not_found'],
  audit: ['mcp.tool.enabled', 'mcp.tool.disabled'],
});

export const switchTools = defineRoute({
  method: 'PUT',
  path: '/proxies/:id/tools/bulk',
  role: 'admin',
  summary: 'Switch several tools on or off; when one of them does not exist none is touched',
  tag,
  parts: {
    params: ById,
    body: Exact({
      tool_names: Type.Array(ToolName, { minItems: 1, maxItems: 1_000, uniqueItems: true }),
      enabled: Type.Boolean(),
    }),
    response: Exact({ proxy_id: Id, tools: Tools, updated: Count }),
  },
  errors: ['not_found'],
  audit: 'mcp.tool.bulk.updated',
});

export const getToolStats = defineRoute({
  method: 'GET',
  path: '/proxies/:id/tools/stats',
  role: 'viewer',
  summary: 'Count the tools of an MCP proxy, and tell which are called most',
  tag,
  parts: { params: ById, response: Exact({ proxy_id: Id, stats: ToolStats }) },
  errors: ['not_found'],
});
