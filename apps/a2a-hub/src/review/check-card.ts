import { recordAudit } from '@portcullis/platform/audit/record-audit';
import { changeConfig } from '@portcullis/platform/database/change-config';
import type { Database, Queryable } from '@portcullis/platform/database/database';
import type { DefinitionScanner } from '@portcullis/platform/policies/definition-scanner';
import { loadAgentMonitoring } from '@portcullis/platform/settings/load-settings';
import { findAgent, type AgentRow } from '../agents/agent-queries.ts';
import type { LoadedCard } from '../cards/load-card.ts';
import { alertCard } from './card-alerts.ts';
import { applyCard } from './apply-card.ts';
import type { CardChangeRow } from './card-change-queries.ts';
import { inspectCard, type InspectedCard } from './inspect-card.ts';

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

/** The same in a transaction of its own, for what the gateway finds out by itself. */
export async function reviewCard(
  database: Database,
  scanner: DefinitionScanner,
  agent: AgentRow,
  loaded: LoadedCard,
): Promise<void> {
  const { card_change_action: action } = await loadAgentMonitoring(database);
  const found = await inspectCard(database, scanner, loaded, subjectOf(agent));
  await changeConfig(database, async (kysely) => {
    const { row, change } = (await reviewFoundCard({ kysely }, agent.id, found, action === 'hold')) ?? {};
    if (row === undefined || change === undefined) return;
    await recordAudit(kysely, {
      event_type: 'agent.card.change.detected',
      actor: { type: 'system', id: null, name: null },
      resource: { type: 'agent', id: row.id, name: row.name },
      details: { change: change.id, status: change.status },
    });
  });
}

export const subjectOf = ({ id, name, trusted_keys: trustedKeys }: AgentRow) => ({
  id,
  name,
  trustedKeys: trustedKeys ?? [],
});
