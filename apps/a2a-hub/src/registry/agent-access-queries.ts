import type { Queryable } from '@portcullis/platform/database/database';
import { sql } from 'kysely';

const entries = ({ kysely }: Queryable) =>
  kysely
    .selectFrom('agent_access')
    .innerJoin('user_groups', 'user_groups.id', 'agent_access.user_group_id')
    .selectAll('agent_access')
    .select('user_groups.name as user_group_name');

export type AgentAccessRow = Awaited<ReturnType<ReturnType<typeof entries>['execute']>>[number];

export interface AgentAccessOptions {
  /** Invocations per minute of the whole group; 0 is no limit. */
  readonly rate_limit?: number | undefined;
  readonly active?: boolean | undefined;
}

export const listAgentAccessRows = (database: Queryable, agentId: number): Promise<AgentAccessRow[]> =>
  entries(database).where('agent_id', '=', agentId).orderBy('agent_access.id').execute();

/** What a user group may do with an agent; undefined when nothing was ever said. */
export const findAgentAccess = (
  database: Queryable,
  agentId: number,
  groupId: number,
): Promise<AgentAccessRow | undefined> =>
  entries(database).where('agent_id', '=', agentId).where('user_group_id', '=', groupId).executeTakeFirst();

export const findAgentAccessById = (
  database: Queryable,
  agentId: number,
  accessId: number,
): Promise<AgentAccessRow | undefined> =>
  entries(database).where('agent_id', '=', agentId).where('agent_access.id', '=', accessId).executeTakeFirst();

/** Gives a user group access, or changes the access that it has. What is not given stays, or is the default. */
export async function saveAgentAccess(
  { kysely }: Queryable,
  agentId: number,
  groupId: number,
  { rate_limit: rateLimit, active }: AgentAccessOptions,
): Promise<AgentAccessRow> {
  const given = { ...(rateLimit !== undefined && { rate_limit: rateLimit }), ...(active !== undefined && { active }) };
  const { id } = await kysely
    .insertInto('agent_access')
    .values({ agent_id: agentId, user_group_id: groupId, ...given })
    .onConflict((conflict) =>
      conflict.columns(['agent_id', 'user_group_id']).doUpdateSet({ ...given, updated_at: sql<Date>`now()` }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return entries({ kysely }).where('agent_access.id', '=', id).executeTakeFirstOrThrow();
}

/** Answers the entry as it was; undefined when the agent has no such entry. */
export async function deleteAgentAccess(
  database: Queryable,
  agentId: number,
  accessId: number,
): Promise<AgentAccessRow | undefined> {
  const row = await findAgentAccessById(database, agentId, accessId);
  if (row !== undefined) await database.kysely.deleteFrom('agent_access').where('id', '=', row.id).execute();
  return row;
}
