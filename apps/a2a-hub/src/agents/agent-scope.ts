import type { Queryable } from '@portcullis/platform/database/database';
import type { Caller } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { findAgent, unknownAgent, type AgentRow, type AgentScope } from '@portcullis/platform/agents/agent-queries';

/** An admin reaches every agent, an API key those of its user group, another user those of the groups they belong to. */
export async function loadScope({ kysely }: Queryable, caller: Caller | undefined): Promise<AgentScope> {
  if (caller === undefined) return { groups: [] };
  if (caller.kind === 'api_key') return { groups: [caller.groupId], names: caller.allowedAgents };
  if (reachesAll(caller)) return undefined;
  const groups = await kysely
    .selectFrom('user_group_members')
    .innerJoin('user_groups', 'user_groups.id', 'user_group_id')
    .select('user_group_id')
    .where('user_id', '=', caller.id)
    .where('active', '=', true)
    .execute();
  return { groups: groups.map(({ user_group_id: id }) => id) };
}

/** Admins reach every agent without belonging to a user group. */
export const reachesAll = (caller: Caller | undefined): boolean => caller?.kind === 'user' && caller.role === 'admin';

/**
 * An agent that a caller reaches. One that does not exist is refused to those with a scope as one of others is, so that
 * they learn nothing about what others have.
 * @throws {GatewayError} `not_found`, `agent_access_denied`
 */
export async function findReachableAgentOrThrow(
  database: Queryable,
  caller: Caller | undefined,
  id: number,
): Promise<AgentRow> {
  const scope = await loadScope(database, caller);
  const row = await findAgent(database, id, scope);
  if (row !== undefined) return row;
  throw scope === undefined ? unknownAgent(id) : new GatewayError('agent_access_denied');
}
