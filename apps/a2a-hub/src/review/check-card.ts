import { publishApprovals } from '@portcullis/platform/approvals/publish-approvals';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import { changeConfig } from '@portcullis/platform/database/change-config';
import type { Database, Queryable } from '@portcullis/platform/database/database';
import type { DefinitionScanner } from '@portcullis/platform/policies/definition-scanner';
import type { Bus } from '@portcullis/platform/coordination/coordination';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { loadAgentMonitoring } from '@portcullis/platform/settings/load-settings';
import { findAgent, type AgentRow } from '@portcullis/platform/agents/agent-queries';
import type { LoadedCard } from '@portcullis/platform/agents/read-agent-card';
import { alertCard } from './card-alerts.ts';
import { applyCard } from './apply-card.ts';
import type { CardChangeRow } from '@portcullis/platform/agents/card-change-queries';
import { inspectCard, subjectOf, type InspectedCard } from '@portcullis/platform/agents/inspect-card';

/** Compares a card that was found at an agent with the one in force, in a transaction of the caller's. */
export async function reviewFoundCard(
  transaction: Queryable,
  id: number,
  found: InspectedCard,
  holds: boolean,
): Promise<{ readonly row: AgentRow; readonly change: CardChangeRow | undefined } | undefined> {
  const row = await findAgent(transaction, id);
  if (row === undefined) return undefined;
  const change = await applyCard(transaction, row, found, { source: 'check', holds });
  if (change !== undefined) await alertCard(transaction, row, { findings: change.findings, change });
  return { row, change };
}

interface ReviewParts {
  readonly coordination: Pick<Infrastructure['coordination'], 'bus'>;
  readonly database: Database;
  readonly scanner: DefinitionScanner;
}

/** The same in a transaction of its own, for what the gateway finds out by itself. */
export async function reviewCard(
  { database, scanner, coordination }: ReviewParts,
  agent: AgentRow,
  loaded: LoadedCard,
): Promise<void> {
  const { card_change_action: action } = await loadAgentMonitoring(database);
  const found = await inspectCard(database, scanner, loaded, subjectOf(agent));
  const held = await changeConfig(database, async (kysely) => {
    const { row, change } = (await reviewFoundCard({ kysely }, agent.id, found, action === 'hold')) ?? {};
    if (row === undefined || change === undefined) return undefined;
    await recordAudit(kysely, {
      event_type: 'agent.card.change.detected',
      actor: { type: 'system', id: null, name: null },
      resource: { type: 'agent', id: row.id, name: row.name },
      details: { change: change.id, status: change.status },
    });
    return change;
  });
  await publishHeld({ database, bus: coordination.bus }, held);
}

/** Tells live watchers of a change that waits. */
export const publishHeld = (
  parts: { readonly database: Queryable; readonly bus: Bus },
  change: CardChangeRow | undefined,
): Promise<void> => publishApprovals(parts, 'card', change?.status === 'pending' ? [change.id] : []);
