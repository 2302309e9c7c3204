import {
  createAgent,
  deleteAgent,
  getAgent,
  getAgentHistory,
  listAgents,
  updateAgent,
} from '@portcullis/contracts/routes/agents';
import { audited } from '@portcullis/platform/audit/audited';
import { bindHistory } from '@portcullis/platform/audit/bind-history';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { bind, type BoundRoute, type Caller } from '@portcullis/platform/routes/bound-route';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { publicBase, type CallOrigin } from '../cards/served-card.ts';
import {
  deleteAgentRow,
  findAgent,
  loadAgentPage,
  unknownAgent,
  type AgentRow,
} from '@portcullis/platform/agents/agent-queries';
import { findReachableAgentOrThrow, loadScope, reachesAll } from '../agents/agent-scope.ts';
import { renderAgent, renderServedAgent } from './render-agent.ts';
import {
  agentResource,
  auditedState,
  changeAgentOrThrow,
  createAgentOrThrow,
  secrets,
  type AgentParts,
} from './write-agent.ts';

export function agentRoutes(parts: AgentParts & Pick<Infrastructure, 'config'>): BoundRoute[] {
  const { database, config } = parts;
  const showTo = (call: CallOrigin & { readonly caller: Caller | undefined }, row: AgentRow) =>
    reachesAll(call.caller) ? renderAgent(row) : renderServedAgent(row, publicBase(config, call));

  return [
    bind(listAgents, async (call) => {
      const { query, caller } = call;
      const { rows, total } = await readConsistent(database, async (moment) =>
        loadAgentPage(moment, { ...query, scope: await loadScope(moment, caller) }),
      );
      const agents = rows.map((row) => showTo(call, row));
      return { data: { agents, total, limit: query.limit, offset: query.offset } };
    }),

    bind(getAgent, async (call) => ({
      data: showTo(call, await findReachableAgentOrThrow(database, call.caller, call.params.id)),
    })),

    bindHistory(database, getAgentHistory, async ({ params: { id } }) => {
      if ((await findAgent(database, id)) === undefined) throw unknownAgent(id);
      return { type: 'agent', id };
    }),

    bind(createAgent, async (call) => {
      const { row, message } = await createAgentOrThrow(parts, call);
      return { data: renderAgent(row), message };
    }),

    bind(updateAgent, async (call) => ({
      data: renderAgent(await changeAgentOrThrow(parts, call)),
      message: 'Agent updated',
    })),

    bind(deleteAgent, async (call) => {
      const { id } = call.params;
      const deleted = await audited(
        database,
        call,
        (transaction) => deleteAgentRow(transaction, id),
        (row) => row && { event: 'agent.deleted', resource: agentResource(row), before: auditedState(row), secrets },
      );
      if (deleted === undefined) throw unknownAgent(id);
      return { message: 'Agent deleted' };
    }),
  ];
}
