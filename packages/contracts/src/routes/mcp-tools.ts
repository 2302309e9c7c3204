import { Type, type Static } from 'typebox';
import { ById, Count, Exact, Id, Nullable, optional, Timestamp } from '../fields.ts';
import { severities } from '../records.ts';
import { createRouteList } from '../route.ts';

export const routes = createRouteList('MCP tools');

const maxToolNameLength = 256;

export const ToolName = Type.String({ minLength: 1, maxLength: maxToolNameLength });

/** What the tool-poisoning policies found in a definition. */
export const ToolFinding = Exact(
  {
    policy_name: Type.String(),
    rule_id: Type.String(),
    rule_name: Type.String(),
    severity: Type.Enum(severities),
    location: Type.String({ description: 'JSON pointer in the definition' }),
    evidence: Type.String(),
  },
  { title: 'ToolFinding' },
);
export type ToolFinding = Static<typeof ToolFinding>;

const switches = {
  enabled: Type.Boolean(),
  rate_limit: Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Calls per minute and key; 0: unlimited' }),
};

export const McpTool = Exact(
  {
    id: Id,
    name: ToolName,
    description: Type.String(),
    enabled: Type.Boolean({ description: 'Newly discovered tools are not, and one that is held is not either' }),
    discovered_at: Timestamp,
    held: Type.Boolean({ description: 'It changed, and the change waits for an admin or was rejected' }),
    rate_limit: switches.rate_limit,
    missing_since: Nullable(Type.String({ format: 'date-time', description: 'The target does not offer it any more' })),
    findings: Type.Array(ToolFinding),
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
    held_tools: Count,
    total_calls: Count,
    total_errors: Count,
    total_blocked: Count,
    tools: Type.Array(
      Exact({
        name: Type.String(),
        calls: Type.Integer({ minimum: 0, description: 'That went to the target' }),
        errors: Type.Integer({ minimum: 0, description: 'Of those, failed' }),
        blocked: Type.Integer({ minimum: 0, description: 'Refused before they left' }),
        last_used_at: Nullable(Timestamp),
      }),
      { description: 'Of every tool that was ever called, by name' },
    ),
  },
  { title: 'ToolStats' },
);
export type ToolStats = Static<typeof ToolStats>;

export const listTools = routes.define({
  method: 'GET',
  path: '/proxies/:id/tools',
  role: 'viewer',
  summary: 'List the tools of an MCP proxy; other proxies answer 400',
  parts: { params: ById, response: Exact({ proxy_id: Id, tools: Tools, count: Count }) },
  errors: ['not_found'],
});

export const discoverTools = routes.define({
  method: 'POST',
  path: '/proxies/:id/tools/discover',
  role: 'admin',
  summary: "Ask an MCP proxy's target for its tools: new ones are stored disabled, known ones keep their switch",
  parts: {
    params: ById,
    response: Exact({
      proxy_id: Id,
      tools: Tools,
      discovered: Type.Integer({ minimum: 0, description: 'How many tools the target has' }),
      message: Type.String(),
      new_tools: Names,
      changed_tools: Type.Array(Type.String(), {
        description: 'Whose definition differs from the one that was approved',
      }),
      missing_tools: Type.Array(Type.String(), { description: 'Stored, but no longer offered by the target' }),
      held_tools: Type.Array(Type.String(), { description: 'Hidden until a change of them is approved' }),
    }),
  },
  errors: ['not_found', 'target_unreachable', 'target_failed', 'target_timeout'],
  audit: 'mcp.tool.discovered',
});

export const switchTool = routes.define({
  method: 'PUT',
  path: '/proxies/:id/tools/:toolName',
  role: 'admin',
  summary: 'Switch a tool on or off, or limit its calls; a name that is not plain is percent-encoded in the path',
  parts: {
    params: Exact({ id: Id, toolName: ToolName }),
    body: Type.Object(optional(switches), { additionalProperties: false, minProperties: 1 }),
    response: McpTool,
  },
  errors: ['not_found', 'conflict'],
  audit: ['mcp.tool.enabled', 'mcp.tool.disabled', 'mcp.tool.updated'],
});

export const switchTools = routes.define({
  method: 'PUT',
  path: '/proxies/:id/tools/bulk',
  role: 'admin',
  summary: 'Switch several tools on or off; when one of them does not exist none is touched',
  parts: {
    params: ById,
    body: Exact({
      tool_names: Type.Array(ToolName, { minItems: 1, maxItems: 1_000, uniqueItems: true }),
      enabled: Type.Boolean(),
    }),
    response: Exact({ proxy_id: Id, tools: Tools, updated: Count }),
  },
  errors: ['not_found', 'conflict'],
  audit: 'mcp.tool.bulk.updated',
});

export const getToolStats = routes.define({
  method: 'GET',
  path: '/proxies/:id/tools/stats',
  role: 'viewer',
  summary: 'Count the tools of an MCP proxy, and list the most called ones',
  parts: { params: ById, response: Exact({ proxy_id: Id, stats: ToolStats }) },
  errors: ['not_found'],
});
