import { Type, type Static } from 'typebox';
import { Count, Exact, Id, Nullable, page, Timestamp } from '../fields.ts';
import { severities } from '../records.ts';
import { ReviewNote, reviewStatuses } from '../review.ts';
import { createRouteList } from '../route.ts';
import { ToolFinding } from './mcp-tools.ts';

export const routes = createRouteList('MCP tools');

export const toolChangeTypes = [
  'new_tool',
  'removed_tool',
  'returned_tool',
  'description_changed',
  'schema_changed',
  'annotations_changed',
  'tool_changed',
  'instructions_changed',
] as const;
export type ToolChangeType = (typeof toolChangeTypes)[number];

export const toolChangeSources = ['discovery', 'monitor', 'traffic'] as const;
export type ToolChangeSource = (typeof toolChangeSources)[number];

const Definition = Type.Unknown({ description: 'The tool as tools/list told it, or `{instructions}`; null for none' });

export const ToolChange = Exact(
  {
    id: Id,
    proxy_id: Id,
    tool_name: Nullable(Type.String({ description: "Null: the server's instructions" })),
    change_type: Type.Enum(toolChangeTypes),
    severity: Type.Enum(severities),
    status: Type.Enum(reviewStatuses, {
      description:
        '`pending`: hidden until an admin decides; `reverted`: the target took it back; `recorded`: nothing to decide',
    }),
    details: Exact({
      old_description: Nullable(Type.String()),
      new_description: Nullable(Type.String()),
      similarity: Nullable(Type.Number({ description: 'Of the words of the two descriptions, 0 to 1' })),
      differences: Type.Array(
        Exact({
          path: Type.String({ description: 'JSON pointer in the definition' }),
          change: Type.Enum(['added', 'removed', 'changed']),
          before: Type.Optional(Type.String()),
          after: Type.Optional(Type.String()),
        }),
      ),
    }),
    findings: Type.Array(ToolFinding),
    old_definition: Definition,
    new_definition: Definition,
    source: Type.Enum(toolChangeSources),
    detected_at: Timestamp,
    decided_at: Nullable(Timestamp),
    decided_by: Nullable(Type.String()),
    note: Nullable(Type.String()),
  },
  { title: 'ToolChange' },
);
export type ToolChange = Static<typeof ToolChange>;

const ByProxy = Exact({ proxyId: Id });
const ByChange = Exact({ proxyId: Id, changeId: Id });

export const listToolChanges = routes.define({
  method: 'GET',
  path: '/mcp/tools/:proxyId/changes',
  role: 'viewer',
  summary: "List the changes of a target's tools and instructions, newest first",
  parts: {
    params: ByProxy,
    query: Exact({
      status: Type.Optional(Type.Enum(reviewStatuses)),
      change_type: Type.Optional(Type.Enum(toolChangeTypes)),
      severity: Type.Optional(Type.Enum(severities)),
      tool_name: Type.Optional(Type.String({ maxLength: 256 })),
      ...page(50),
    }),
    response: Exact({ proxy_id: Id, changes: Type.Array(ToolChange), total: Count, limit: Count, offset: Count }),
  },
  errors: ['not_found'],
});

export const getToolBaseline = routes.define({
  method: 'GET',
  path: '/mcp/tools/:proxyId/baseline',
  role: 'viewer',
  summary: 'Show what is taken as good: the definition of every tool and the instructions, with their hashes',
  parts: {
    params: ByProxy,
    response: Exact({
      proxy_id: Id,
      tools: Type.Array(
        Exact({
          name: Type.String(),
          hash: Type.String({ description: 'SHA-256 of the canonical JSON of the definition' }),
          definition: Definition,
          held: Type.Boolean(),
          discovered_at: Timestamp,
          updated_at: Timestamp,
        }),
      ),
      instructions: Nullable(
        Type.Object(
          { text: Type.String(), hash: Type.String(), updated_at: Timestamp },
          { additionalProperties: false },
        ),
      ),
      checked_at: Nullable(Type.String({ format: 'date-time', description: 'When the target was last asked' })),
      problem: Nullable(Type.String({ description: 'Why it did not answer then' })),
    }),
  },
  errors: ['not_found'],
});

export const detectToolChanges = routes.define({
  method: 'POST',
  path: '/mcp/tools/:proxyId/detect-changes',
  role: 'admin',
  summary: 'Read the tools of the target now, and compare them with the approved ones',
  parts: {
    params: ByProxy,
    response: Exact({ proxy_id: Id, changes: Type.Array(ToolChange), count: Count }),
  },
  errors: ['not_found', 'target_unreachable', 'target_failed', 'target_timeout'],
  audit: 'mcp.tool.change.detected',
});

export const approveToolChange = routes.define({
  method: 'POST',
  path: '/mcp/tools/:proxyId/changes/:changeId/approve',
  role: 'admin',
  summary: 'Approve a change: the tool is available again as its switch says',
  bodyOptional: true,
  parts: { params: ByChange, body: ReviewNote, response: ToolChange },
  errors: ['not_found', 'conflict'],
  audit: 'mcp.tool.change.approved',
});

export const rejectToolChange = routes.define({
  ...approveToolChange,
  path: '/mcp/tools/:proxyId/changes/:changeId/reject',
  summary: 'Refuse a change: the tool is switched off, and stays hidden while the target offers it like that',
  audit: 'mcp.tool.change.rejected',
});
