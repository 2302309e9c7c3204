import { checkDecision, type ReviewDecision } from '@portcullis/core/review/check-decision';
import { publishApprovals } from '../approvals/publish-approvals.ts';
import { checkVersionOrThrow } from '../approvals/check-version.ts';
import { audited, type AuditedCall } from '../audit/audited.ts';
import type { Bus } from '../coordination/coordination.ts';
import type { Queryable } from '../database/database.ts';
import { GatewayError } from '../http/gateway-error.ts';
import type { DefinitionScanner } from '../policies/definition-scanner.ts';
import { findAgent, unknownAgent, type AgentRow } from './agent-queries.ts';
import { checkAuthOfNewCardOrThrow } from './check-auth-of-new-card.ts';
import { readAgentCard } from './read-agent-card.ts';
import { findChange, findPendingChange, saveDecision, type CardChangeRow } from './card-change-queries.ts';
import { inspectCard, subjectOf, type InspectedCard } from './inspect-card.ts';
import { putInForce } from './put-card-in-force.ts';

interface DecidingParts {
  readonly database: Queryable;
  readonly bus: Bus;
  readonly scanner: DefinitionScanner;
}

interface AskedDecision {
  readonly agentId: number;
  readonly changeId: number;
  readonly decision: ReviewDecision;
  readonly note?: string | undefined;
  /** The hash of what was looked at; undefined where the caller does not say. */
  readonly version?: string | undefined;
}

/**
 * Decides about the changed card of an agent, writes it down and tells live watchers.
 * @throws {GatewayError} when there is no such change, nothing to decide about it, or it is not what was looked at
 */
export async function decideCardChange(
  { database, bus, scanner }: DecidingParts,
  call: AuditedCall,
  { agentId, changeId, decision, note, version }: AskedDecision,
): Promise<CardChangeRow> {
  const decidedBy = call.caller?.kind === 'user' ? call.caller.username : 'unknown';
  const row = await audited(
    database,
    call,
    async (transaction) => {
      const agent = await findAgent(transaction, agentId);
      if (agent === undefined) throw unknownAgent(agentId);
      const change = await findChange(transaction, agentId, changeId);
      if (change === undefined)
        throw new GatewayError('not_found', { message: `Agent ${agentId} has no change ${changeId}` });
      checkVersionOrThrow(change.new_hash, version);
      const message = checkDecision(decision, change, await findPendingChange(transaction, agentId));
      if (message !== undefined) throw new GatewayError('conflict', { message });
      if (decision === 'approved')
        await putInForce(transaction, agentId, await openOrThrow(transaction, scanner, agent, change));
      return saveDecision(transaction, changeId, { status: decision, decided_by: decidedBy, note: note ?? null });
    },
    (change) => ({
      event: `agent.card.change.${decision}`,
      resource: { type: 'agent_card_change', id: change.id, name: null },
      details: { agent_id: agentId, hash: change.new_hash, note: change.note },
    }),
  );
  await publishApprovals({ database, bus }, 'card', [row.id]);
  return row;
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
