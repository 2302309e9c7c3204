import {
  grantAgentAccess,
  listAgentAccess,
  revokeAgentAccess,
  updateAgentAccess,
  type AgentAccess,
} from '@portcullis/contracts/routes/agent-access';
import { audited } from '@portcullis/platform/audit/audited';
import type { Database } from '@portcullis/platform/database/database';
import { violatedConstraint } from '@portcullis/platform/database/violated-constraint';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import {
  deleteAgentAccess,
  findAgentAccess,
  findAgentAccessById,
  listAgentAccessRows,
  saveAgentAccess,
  type AgentAccessRow,
} from './agent-access-queries.ts';
import { findAgent } from '@portcullis/platform/agents/agent-queries';
import { unknownAgent } from '@portcullis/platform/agents/agent-queries';

export function accessRoutes(database: Database): BoundRoute[] {
  return [
    bind(listAgentAccess, async ({ params }) => {
      if ((await findAgent(database, params.id)) === undefined) throw unknownAgent(params.id);
      return { data: (await listAgentAccessRows(database, params.id)).map(renderAccess) };
    }),

    bind(grantAgentAccess, async (call) => {
      const { user_group_id: groupId, ...options } = call.body;
      const { after } = await audited(
        database,
        call,
        async (transaction) => ({
          before: await findAgentAccess(transaction, call.params.id, groupId),
          after: await saveAgentAccess(transaction, call.params.id, groupId, options),
        }),
        ({ before, after: row }) => ({
          event: before === undefined ? 'agent.access.added' : 'agent.access.updated',
          resource: accessResource(row),
          before,
          after: row,
        }),
      ).catch((error: unknown) => refuseAccess(error, call.params.id, groupId));
      return { data: renderAccess(after), message: 'Access granted' };
    }),

    bind(updateAgentAccess, async (call) => {
      const { id, accessId } = call.params;
      const { after } = await audited(
        database,
        call,
        async (transaction) => {
          const before = await findAgentAccessById(transaction, id, accessId);
          if (before === undefined) throw unknownAccess(id, accessId);
          return { before, after: await saveAgentAccess(transaction, id, before.user_group_id, call.body) };
        },
        ({ before, after: row }) => ({
          event: 'agent.access.updated',
          resource: accessResource(row),
          before,
          after: row,
        }),
      );
      return { data: renderAccess(after), message: 'Access updated' };
    }),

    bind(revokeAgentAccess, async (call) => {
      const { id, accessId } = call.params;
      const deleted = await audited(
        database,
        call,
        (transaction) => deleteAgentAccess(transaction, id, accessId),
        (row) => row && { event: 'agent.access.removed', resource: accessResource(row), before: row },
      );
      if (deleted === undefined) throw unknownAccess(id, accessId);
      return { message: 'Access revoked' };
    }),
  ];
}

const renderAccess = (row: AgentAccessRow): AgentAccess => ({
  id: row.id,
  agent_id: row.agent_id,
  user_group_id: row.user_group_id,
  user_group_name: row.user_group_name,
  rate_limit: row.rate_limit,
  active: row.active,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

const accessResource = (row: AgentAccessRow) => ({
  type: 'agent_access',
  id: row.id,
  name: `user group ${row.user_group_id}, agent ${row.agent_id}`,
});

const unknownAccess = (id: number, accessId: number): GatewayError =>
  new GatewayError('not_found', { message: `Agent ${id} has no access entry ${accessId}` });

function refuseAccess(error: unknown, agentId: number, groupId: number): never {
  const missing = violatedConstraint(error, 'foreign key');
  if (missing === 'agent_access_agent_id_fkey') throw unknownAgent(agentId);
  if (missing === undefined) throw error;
  throw new GatewayError('not_found', { message: `There is no user group ${groupId}` });
}
