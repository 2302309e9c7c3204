import type { McpTool, ToolFinding, ToolStats } from '@portcullis/contracts/routes/mcp-tools';
import type { Queryable } from '@portcullis/platform/database/database';
import { databaseNow } from '@portcullis/platform/database/database-now';
import { sql } from 'kysely';

const mostUsed = 10;

const tools = ({ kysely }: Queryable, proxyId: number) =>
  kysely.selectFrom('mcp_tools').selectAll().where('proxy_id', '=', proxyId).$narrowType<{ findings: ToolFinding[] }>();

export type ToolRow = Awaited<ReturnType<ReturnType<typeof tools>['execute']>>[number];

export const listToolRows = (database: Queryable, proxyId: number): Promise<ToolRow[]> =>
  tools(database, proxyId).orderBy('name').execute();

export const listToolRowsNamed = (database: Queryable, proxyId: number, names: readonly string[]): Promise<ToolRow[]> =>
  tools(database, proxyId)
    .where('name', 'in', [...names])
    .orderBy('name')
    .execute();

interface ToolChange {
  readonly enabled?: boolean;
  readonly rate_limit?: number;
  readonly held?: boolean;
  readonly missing_since?: Date | null;
  readonly description?: string;
  readonly definition?: string;
  readonly definition_hash?: string;
  /** JSON. */
  readonly findings?: string;
}

export const updateTools = ({ kysely }: Queryable, ids: readonly number[], change: ToolChange) =>
  kysely
    .updateTable('mcp_tools')
    .set({ ...change, updated_at: databaseNow })
    .where('id', 'in', [...ids])
    .execute();

interface NewTool {
  readonly proxy_id: number;
  readonly name: string;
  readonly description: string;
  readonly definition: string;
  readonly definition_hash: string;
  /** JSON. */
  readonly findings: string;
}

/** New tools are stored switched off. */
export const insertTool = ({ kysely }: Queryable, tool: NewTool) =>
  kysely.insertInto('mcp_tools').values(tool).execute();

export async function loadToolStats({ kysely }: Queryable, proxyId: number): Promise<ToolStats> {
  const counts = await kysely
    .selectFrom('mcp_tools')
    .select([
      sql<number>`count(*)`.as('total_tools'),
      sql<number>`count(*) filter (where enabled and not held)`.as('enabled_tools'),
      sql<number>`count(*) filter (where not enabled or held)`.as('disabled_tools'),
      sql<number>`count(*) filter (where held)`.as('held_tools'),
    ])
    .where('proxy_id', '=', proxyId)
    .executeTakeFirstOrThrow();
  const called = await kysely
    .selectFrom('daily_tool_calls')
    .select(['tool_name as name', sql<number>`sum(calls)::bigint`.as('calls')])
    .select([sql<number>`sum(errors)::bigint`.as('errors'), sql<number>`sum(blocked)::bigint`.as('blocked')])
    .select(({ fn }) => fn.max('last_used_at').as('last_used_at'))
    .where('proxy_id', '=', proxyId)
    .groupBy('tool_name')
    .orderBy('name')
    .execute();
  const sum = (read: (one: (typeof called)[number]) => number) => called.reduce((total, one) => total + read(one), 0);
  return {
    ...counts,
    most_used_tools: called
      .filter(({ calls }) => calls > 0)
      .toSorted((a, b) => b.calls - a.calls)
      .slice(0, mostUsed)
      .map(({ name, calls }) => ({ name, usage_count: calls })),
    total_calls: sum(({ calls }) => calls),
    total_errors: sum(({ errors }) => errors),
    total_blocked: sum(({ blocked }) => blocked),
    tools: called.map((one) => ({ ...one, last_used_at: one.last_used_at?.toISOString() ?? null })),
  };
}

/** A tool that is held is closed, switched on or not: it opens again when the change is approved. */
export const renderTool = (row: ToolRow): McpTool => ({
  id: row.id,
  name: row.name,
  description: row.description,
  enabled: row.enabled && !row.held,
  discovered_at: row.discovered_at.toISOString(),
  held: row.held,
  rate_limit: row.rate_limit,
  missing_since: row.missing_since?.toISOString() ?? null,
  findings: row.findings,
});
