import { compareCards } from '@portcullis/core/a2a/compare-cards';
import { mostSevere } from '@portcullis/core/mcp/compare-tool';
import type { Queryable } from '@portcullis/platform/database/database';
import type { AgentRow } from '@portcullis/platform/agents/agent-queries';
import { calledCard } from '@portcullis/platform/agents/called-card';
import {
  closePending,
  findPendingChange,
  findRejectedChange,
  insertChange,
  type CardChangeRow,
} from '@portcullis/platform/agents/card-change-queries';
import { isSuspicious, type InspectedCard } from '@portcullis/platform/agents/inspect-card';
import { putInForce } from '@portcullis/platform/agents/put-card-in-force';

/** How a card came that differs from the one in force. */
export type Finder =
  /** A look at the agent found it. */
  | { readonly source: 'check'; readonly holds: boolean }
  /** An admin sent it, or asked for it to be read again: that is the decision. */
  | { readonly source: 'update'; readonly decidedBy: string };

/**
 * Compares a card with the one that is in force, writes down what is new, and takes it over unless an admin has to look
 * first. Within a transaction that has the configuration to itself.
 * @returns what was written down; undefined for nothing new
 */
export async function applyCard(
  database: Queryable,
  row: AgentRow,
  found: InspectedCard,
  finder: Finder,
): Promise<CardChangeRow | undefined> {
  // Addresses that are not called may be what they like: those of containers change with every start. Not where the
  // signature breaks: the owner of the key did not write them.
  const isBroken = found.signature.status === 'invalid' && row.signature.status !== 'invalid';
  const targetUrl = isBroken ? null : row.target_url;
  const differences = compareCards(calledCard(row.card, targetUrl), calledCard(found.card, targetUrl));
  if (differences.length === 0) {
    await closePending(database, row.id);
    const isSame = row.card_hash === found.sourceHash && row.base_url === found.baseUrl;
    if (!isSame) await putInForce(database, row.id, found);
    return undefined;
  }
  if (finder.source === 'check' && (await isKnown(database, row.id, found, finder.holds))) return undefined;
  const isHeld = finder.source === 'check' && finder.holds && needsApproval(found, differences);
  const change = await insertChange(database, {
    agent_id: row.id,
    status: isHeld ? 'pending' : finder.source === 'update' ? 'approved' : 'recorded',
    severity: mostSevere([...differences, ...found.findings].map(({ severity }) => severity)),
    source: finder.source,
    differences,
    findings: found.findings,
    old_hash: row.card_hash,
    card_source: found.source,
    new_hash: found.sourceHash,
    signature: found.signature,
    ...(finder.source === 'update' && { decided_by: finder.decidedBy }),
  });
  if (!isHeld) await putInForce(database, row.id, found);
  return change;
}

/** Whether an admin knows of this card already: it waits, or was refused. */
async function isKnown(
  database: Queryable,
  id: number,
  { sourceHash }: InspectedCard,
  holds: boolean,
): Promise<boolean> {
  if ((await findPendingChange(database, id))?.new_hash === sourceHash) return true;
  return holds && (await findRejectedChange(database, id, sourceHash)) !== undefined;
}

const needsApproval = ({ findings, signature }: InspectedCard, differences: ReturnType<typeof compareCards>): boolean =>
  differences.some((difference) => difference.needsApproval) ||
  isSuspicious(findings) ||
  signature.status === 'invalid';
