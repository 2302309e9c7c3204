import {
  approveCardChange,
  detectCardChanges,
  listCardChanges,
  rejectCardChange,
} from '@portcullis/contracts/routes/agent-card-changes';
import type { ReviewDecision } from '@portcullis/core/review/check-decision';
import { audited } from '@portcullis/platform/audit/audited';
import type { Queryable } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import type { DefinitionScanner } from '@portcullis/platform/policies/definition-scanner';
import { loadAgentMonitoring } from '@portcullis/platform/settings/load-settings';
import { hasUrl, locationOfRow } from '../agents/agent-location.ts';
import { findAgent, unknownAgent, type AgentRow } from '@portcullis/platform/agents/agent-queries';
import { discoverCardOrThrow, type CardLoader } from '../cards/load-card.ts';
import { loadChangePage, renderChange } from '@portcullis/platform/agents/card-change-queries';
import { publishHeld, reviewFoundCard } from './check-card.ts';
import { decideCardChange } from '@portcullis/platform/agents/decide-card-change';
import { inspectCard, subjectOf } from '@portcullis/platform/agents/inspect-card';

export function changeRoutes(
  { database, coordination }: Pick<Infrastructure, 'database' | 'coordination'>,
  loader: CardLoader,
  scanner: DefinitionScanner,
): BoundRoute[] {
  const live = { database, bus: coordination.bus };
  const deciding = { ...live, scanner };
  return [
    bind(listCardChanges, async ({ params: { id }, query }) => {
      await findAgentOrThrow(database, id);
      const { rows, total } = await readConsistent(database, (moment) => loadChangePage(moment, id, query));
      const { limit, offset } = query;
      return { data: { agent_id: id, changes: rows.map(renderChange), total, limit, offset } };
    }),

    bind(detectCardChanges, async (call) => {
      const { id } = call.params;
      const agent = await findAgentOrThrow(database, id);
      const location = locationOfRow(agent, loader.encryption);
      if (!hasUrl(location)) {
        throw new GatewayError('conflict', { message: 'The card was sent, so there is no URL to read it from' });
      }
      const loaded = await discoverCardOrThrow(loader, location);
      const { card_change_action: action } = await loadAgentMonitoring(database);
      const found = await inspectCard(database, scanner, loaded, subjectOf(agent));
      const reviewed = await audited(
        database,
        call,
        (transaction) => reviewFoundCard(transaction, id, found, action === 'hold'),
        (result) =>
          result && {
            event: 'agent.card.change.detected',
            resource: { type: 'agent', id, name: result.row.name },
            details: { change: result.change?.id ?? null },
          },
      );
      const change = reviewed?.change;
      await publishHeld(live, change);
      const message = change === undefined ? 'Nothing new since the last look' : `The card changed: ${change.status}`;
      return { data: { agent_id: id, change: change === undefined ? null : renderChange(change) }, message };
    }),

    bind(approveCardChange, async (call) => ({
      data: renderChange(await decideCardChange(deciding, call, askedOf(call, 'approved'))),
      message: 'Change approved',
    })),
    bind(rejectCardChange, async (call) => ({
      data: renderChange(await decideCardChange(deciding, call, askedOf(call, 'rejected'))),
      message: 'Change rejected',
    })),
  ];
}

async function findAgentOrThrow(database: Queryable, id: number): Promise<AgentRow> {
  const row = await findAgent(database, id);
  if (row === undefined) throw unknownAgent(id);
  return row;
}

interface DecidingCall {
  readonly params: { readonly id: number; readonly changeId: number };
  readonly body: { readonly note?: string };
}

const askedOf = ({ params: { id, changeId }, body }: DecidingCall, decision: ReviewDecision) => ({
  agentId: id,
  changeId,
  decision,
  note: body.note,
});
