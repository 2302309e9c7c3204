import { existsBatch } from '@portcullis/platform/database/exists-batch';
import type { Queryable } from '@portcullis/platform/database/database';
import { sql } from 'kysely';

/** When a target was asked last, and what it said. */
export const findCheckRow = ({ kysely }: Queryable, proxyId: number) =>
  kysely.selectFrom('mcp_tool_checks').selectAll().where('proxy_id', '=', proxyId).executeTakeFirst();

export async function markChecked({ kysely }: Queryable, proxyId: number, problem: string | null): Promise<void> {
  const row = { checked_at: new Date(), problem };
  await kysely
    .insertInto('mcp_tool_checks')
    .values({ proxy_id: proxyId, ...row })
    .onConflict((conflict) => conflict.column('proxy_id').doUpdateSet(row))
    .execute();
}

/** Has a target asked as soon as possible. */
export const makeDue = ({ kysely }: Queryable, proxyIds: readonly number[]) =>
  kysely
    .updateTable('mcp_tool_checks')
    .set({ due_at: new Date() })
    .where('proxy_id', 'in', [...proxyIds])
    .execute();

/** Whether any target has something that could change. Asked without a lock, since where there is no MCP it is no. */
export const hasTools = existsBatch(() => sql`(select from mcp_tools union all select from mcp_tool_checks)`);

/**
 * Takes proxies whose targets are to be asked now; the process that takes one is alone with it until the next
 * interval is over, or it was made shorter. Only those with tools that are known: what was never discovered cannot change.
 */
export async function claimDueProxies(
  { kysely }: Queryable,
  intervalMinutes: number,
  limit: number,
): Promise<readonly number[]> {
  await sql`
    insert into mcp_tool_checks (proxy_id, due_at)
    select id, now() + make_interval(mins => ${intervalMinutes}::integer) from proxies
    where type = 'mcp' and exists (select from mcp_tools where mcp_tools.proxy_id = proxies.id)
    on conflict do nothing`.execute(kysely);
  const { rows } = await sql<{ proxy_id: number }>`
    update mcp_tool_checks set due_at = now() + make_interval(mins => ${intervalMinutes}::integer)
    where proxy_id in (
      select proxy_id from mcp_tool_checks join proxies on proxies.id = proxy_id
      where proxies.enabled and proxies.type = 'mcp'
        and (due_at <= now() or due_at > now() + make_interval(mins => ${intervalMinutes}::integer))
      order by due_at limit ${limit} for update of mcp_tool_checks skip locked)
    returning proxy_id`.execute(kysely);
  return rows.map(({ proxy_id }) => proxy_id);
}
