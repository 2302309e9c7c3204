import {
  approveCardChange,
  detectCardChanges,
  listCardChanges,
  rejectCardChange,
} from '@portcullis/contracts/routes/agent-card-changes';
import { checkDecision, type ReviewDecision } from '@portcullis/core/review/check-decision';
import { audited, type AuditedCall } from '@portcullis/platform/audit/audited';
import type { Queryable } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import type { DefinitionScanner } from '@portcullis/platform/policies/definition-scanner';
import { loadAgentMonitoring } from '@portcullis/platform/settings/load-settings';
import { hasUrl, locationOfRow } from '../agents/agent-location.ts';
import { findAgent, type AgentRow } from '../agents/agent-queries.ts';
import { unknownAgent } from '../agents/agent-scope.ts';
import { discoverCardOrThrow, type CardLoader } from '../cards/load-card.ts';
import { readAgentCard } from '../cards/read-agent-card.ts';
import { checkAuthOfNewCardOrThrow } from '../cards/next-card.ts';
import { putInForce } from './apply-card.ts';
import { findChange, findPendingChange, loadChangePage, renderChange, saveDecision } from './card-change-queries.ts';
import { reviewFoundCard, subjectOf } from './check-card.ts';
import { inspectCard, type InspectedCard } from './inspect-card.ts';

export function changeRoutes(
  { database }: Pick<Infrastructure, 'database'>,
  loader: CardLoader,
  scanner: DefinitionScanner,
): BoundRoute[] {
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
      const message = change === undefined ? 'Nothing new since the last look' : `The card changed: ${change.status}`;
      return { data: { agent_id: id, change: change === undefined ? null : renderChange(change) }, message };
    }),

    bind(approveCardChange, async (call) => ({
      data: await decide(database, scanner, call, 'approved'),
      message: 'Change approved',
    })),
    bind(rejectCardChange, async (call) => ({
      data: await decide(database, scanner, call, 'rejected'),
      message: 'Change rejected',
    })),
  ];
}

async function findAgentOrThrow(database: Queryable, id: number): Promise<AgentRow> {
  const row = await findAgent(database, id);
  if (row === undefined) throw unknownAgent(id);
  return row;
}

type DecidingCall = AuditedCall & {
  readonly params: { readonly id: number; readonly changeId: number };
  readonly body: { readonly note?: string };
};

async function decide(database: Queryable, scanner: DefinitionScanner, call: DecidingCall, decision: ReviewDecision) {
  const { id, changeId } = call.params;
  const row = await audited(
    database,
    call,
    async (transaction) => {
      const agent = await findAgentOrThrow(transaction, id);
      const change = await findChange(transaction, id, changeId);
      if (change === undefined)
        throw new GatewayError('not_found', { message: `Agent ${id} has no change ${changeId}` });
      const message = checkDecision(decision, change, await findPendingChange(transaction, id));
      if (message !== undefined) throw new GatewayError('conflict', { message });
      if (decision === 'approved')
        await putInForce(transaction, id, await openOrThrow(transaction, scanner, agent, change));
      return saveDecision(transaction, changeId, {
        status: decision,
        decided_by: call.caller?.kind === 'user' ? call.caller.username : 'unknown',
        note: call.body.note ?? null,
      });
    },
    (change) => ({
      event: `agent.card.change.${decision}`,
      resource: { type: 'agent_card_change', id: change.id, name: null },
      details: { agent_id: id, hash: change.new_hash, note: change.note },
    }),
  );
  return renderChange(row);
}

/** The card that waits, with what holds for it by the keys and policies of now. */
async function openOrThrow(
  transaction: Queryable,
  scanner: DefinitionScanner,
  agent: AgentRow,
  { card_source: source }: { readonly card_source: string },
): Promise<InspectedCard> {
  const { read } = readAgentCard(source);
  if (read === undefined) throw new GatewayError('conflict', { message: 'The changed card cannot be read any more' });
  const found = await inspectCard(transaction, scanner, { ...read, baseUrl: agent.base_url }, subjectOf(agent));
  if (agent.trusted_keys !== null && agent.trusted_keys.length > 0 && found.signature.status !== 'verified') {
    throw new GatewayError('conflict', { message: 'None of the trusted keys of the agent has signed this card' });
  }
  checkAuthOfNewCardOrThrow(agent, {}, found);
  return found;
}
