import type { Queryable } from '@portcullis/platform/database/database';
import { loadPage, whereEqual } from '@portcullis/platform/database/list-queries';
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
  { limit, offset, blocked, rate_limit_exceeded, user_group_id, task_id }: LogFilter,
): Promise<{ readonly rows: readonly AgentLogRow[]; readonly total: number }> {
  const logs = kysely.selectFrom('agent_invocations').selectAll().orderBy('timestamp', 'desc').orderBy('id', 'desc');
  const wanted = { agent_id: agentId, blocked, rate_limit_exceeded, user_group_id, task_id };
  return loadPage(whereEqual(logs, wanted), { limit, offset });
}

export const findLog = ({ kysely }: Queryable, agentId: number, id: number): Promise<AgentLogRow | undefined> =>
  kysely
    .selectFrom('agent_invocations')
    .selectAll()
    .where('agent_id', '=', agentId)
    .where('id', '=', id)
    .executeTakeFirst();
