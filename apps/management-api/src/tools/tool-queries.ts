import type { McpTool, ToolStats } from '@portcullis/contracts/routes/mcp-tools';
import type { Queryable } from '@portcullis/platform/database/database';
import { sql } from 'kysely';

const mostUsed = 10;

const tools = ({ kysely }: Queryable, proxyId: number) =>
  kysely
    .selectFrom('mcp_tools')
    .select(['id', 'name', 'description', 'enabled', 'discovered_at', 'definition_hash'])
    .where('proxy_id', '=', proxyId);

export type ToolRow = Awaited<ReturnType<ReturnType<typeof tools>['execute']>>[number];

export const listToolRows = (database: Queryable, proxyId: number): Promise<ToolRow[]> =>
  tools(database, proxyId).orderBy('name').execute();

export const listToolRowsNamed = (database: Queryable, proxyId: number, names: readonly string[]): Promise<ToolRow[]> =>
  tools(database, proxyId)
    .where('name', 'in', [...names])
    .orderBy('name')
    .execute();

export const setToolsEnabled = ({ kysely }: Queryable, ids: readonly number[], enabled: boolean) =>
  kysely
    .updateTable('mcp_tools')
    .set({ enabled, updated_at: new Date() })
    .where('id', 'in', [...ids])
    .execute();

interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly definition: string;
  readonly definition_hash: string;
}

/** New tools are stored switched off; of known ones only the definition changes. */
export const saveTool = ({ kysely }: Queryable, proxyId: number, tool: ToolDefinition) =>
  kysely
    .insertInto('mcp_tools')
    .values({ proxy_id: proxyId, ...tool })
    .onConflict((conflict) =>
      conflict.columns(['proxy_id', 'name']).doUpdateSet({
        description: tool.description,
        definition: tool.definition,
        definition_hash: tool.definition_hash,
        updated_at: new Date(),
      }),
    )
    .execute();

export async function loadToolStats({ kysely }: Queryable, proxyId: number): Promise<ToolStats> {
  const counts = await kysely
    .selectFrom('mcp_tools')
    .select([
      sql<number>`count(*)`.as('total_tools'),
      sql<number>`count(*) filter (where enabled)`.as('enabled_tools'),
      sql<number>`count(*) filter (where not enabled)`.as('disabled_tools'),
    ])
    .where('proxy_id', '=', proxyId)
    .executeTakeFirstOrThrow();
  const used = await kysely
    .selectFrom('daily_tool_calls')
    .select(['tool_name as name', sql<number>`sum(calls)::bigint`.as('usage_count')])
    .where('proxy_id', '=', proxyId)
    .groupBy('tool_name')
    .orderBy('usage_count', 'desc')
    .orderBy('name')
    .limit(mostUsed)
    .execute();
  return { ...counts, most_used_tools: used };
}

export const renderTool = ({ id, name, description, enabled, discovered_at: discoveredAt }: ToolRow): McpTool => ({
  id,
  name,
  description,
  enabled,
  discovered_at: discoveredAt.toISOString(),
});
