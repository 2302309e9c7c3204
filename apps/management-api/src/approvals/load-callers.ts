import type { ApprovalCallers } from '@portcullis/contracts/routes/approvals';
import type { Queryable } from '@portcullis/platform/database/database';
import { sql, type RawBuilder } from 'kysely';

const periodMs = 7 * 86_400_000;
const maxCalls = 100_000;
const maxCallers = 50;

interface CallerRow {
  readonly api_key_id: number | null;
  readonly api_key_name: string | null;
  readonly user_group_id: number | null;
  readonly user_group: string | null;
  readonly calls: number;
  readonly blocked: number;
  readonly last_called_at: Date;
}

/**
 * Who called a tool in the last seven days.
 * @param tool null: any tool of the proxy, whose instructions all of them read
 */
export const loadToolCallers = (database: Queryable, proxyId: number, tool: string | null): Promise<ApprovalCallers> =>
  loadCallers(
    database,
    (since) => sql`
      select api_key_id, user_group_id, outcome = 'blocked' as is_blocked, timestamp from mcp_tool_calls
      where proxy_id = ${proxyId} and timestamp >= ${since} and ${tool === null ? sql`true` : sql`tool_name = ${tool}`}`,
  );

/** Who called an agent in the last seven days; its calls tell the user group, and no key. */
export const loadAgentCallers = (database: Queryable, agentId: number): Promise<ApprovalCallers> =>
  loadCallers(
    database,
    (since) => sql`
      select null::int as api_key_id, user_group_id, blocked as is_blocked, timestamp from agent_invocations
      where agent_id = ${agentId} and timestamp >= ${since}`,
  );

async function loadCallers(
  { kysely }: Queryable,
  callsSince: (since: Date) => RawBuilder<unknown>,
): Promise<ApprovalCallers> {
  const since = new Date(Date.now() - periodMs);
  const { rows } = await sql<CallerRow>`
    with called as (${callsSince(since)} order by timestamp desc limit ${maxCalls + 1}),
    counted as (
      select api_key_id, user_group_id, count(*)::int as calls, (count(*) filter (where is_blocked))::int as blocked,
        max(timestamp) as last_called_at
      from called group by api_key_id, user_group_id)
    select counted.*, k.name as api_key_name, g.name as user_group from counted
    left join api_keys k on k.id = counted.api_key_id left join user_groups g on g.id = counted.user_group_id
    order by calls desc, last_called_at desc`.execute(kysely);
  const calls = rows.reduce((sum, row) => sum + row.calls, 0);
  return {
    since: since.toISOString(),
    calls: Math.min(calls, maxCalls),
    is_complete: calls <= maxCalls,
    callers: rows.slice(0, maxCallers).map((row) => ({
      api_key_id: row.api_key_id,
      api_key_name: row.api_key_name,
      user_group_id: row.user_group_id,
      user_group: row.user_group,
      calls: row.calls,
      blocked: row.blocked,
      last_called_at: row.last_called_at.toISOString(),
    })),
    callers_count: rows.length,
  };
}
