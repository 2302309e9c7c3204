import type { Queryable } from '@portcullis/platform/database/database';
import type { AgentInvocationsTable } from '@portcullis/platform/database/tables';
import type { Selectable } from 'kysely';

export type AgentLogRow = Selectable<AgentInvocationsTable>;

interface LogFilter {
  readonly blocked?: boolean | undefined;
  readonly rate_limit_exceeded?: boolean | undefined;
  readonly user_group_id?: number | undefined;
  readonly task_id?: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** A page of an agent's invocations, newest first, and how many there are. */
export async function loadLogPage(
  { kysely }: Queryable,
  agentId: number,
  { limit, offset, ...filter }: LogFilter,
): Promise<{ readonly rows: readonly AgentLogRow[]; readonly total: number }> {
  let wanted = kysely.selectFrom('agent_invocations').where('agent_id', '=', agentId);
  for (const column of ['blocked', 'rate_limit_exceeded', 'user_group_id', 'task_id'] as const) {
    const value = filter[column];
    if (value !== undefined) wanted = wanted.where(column, '=', value);
  }
  const { total } = await wanted.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await wanted
    .selectAll()
    .orderBy('timestamp', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return { rows, total };
}

export const findLog = ({ kysely }: Queryable, agentId: number, id: number): Promise<AgentLogRow | undefined> =>
  kysely
    .selectFrom('agent_invocations')
    .selectAll()
    .where('agent_id', '=', agentId)
    .where('id', '=', id)
    .executeTakeFirst();
