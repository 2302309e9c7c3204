import type { AgentCardChange, CardChangeSource } from '@portcullis/contracts/routes/agent-card-changes';
import type { CardSignatureCheck } from '@portcullis/contracts/routes/agents';
import type { ToolFinding } from '@portcullis/contracts/routes/mcp-tools';
import type { Severity } from '@portcullis/contracts/records';
import type { ReviewStatus } from '@portcullis/contracts/review';
import type { CardChange } from '@portcullis/core/a2a/compare-cards';
import { roundShare } from '@portcullis/core/numbers/round-to';
import type { Queryable } from '../database/database.ts';
import { loadPage, whereEqual } from '../database/list-queries.ts';
import { databaseNow } from '../database/database-now.ts';
import { renderStorable } from '../spool/record-line.ts';

/** As it is when it is found out. */
export interface NewCardChange {
  readonly agent_id: number;
  readonly status: ReviewStatus;
  readonly severity: Severity;
  readonly source: CardChangeSource;
  readonly differences: readonly CardChange[];
  readonly findings: readonly ToolFinding[];
  readonly old_hash: string;
  readonly card_source: string;
  readonly new_hash: string;
  readonly signature: CardSignatureCheck;
  readonly decided_by?: string | undefined;
}

export interface CardChangeRow extends Omit<NewCardChange, 'decided_by'> {
  readonly id: number;
  readonly differences: CardChange[];
  readonly findings: ToolFinding[];
  readonly detected_at: Date;
  readonly decided_at: Date | null;
  readonly decided_by: string | null;
  readonly note: string | null;
}

const changes = ({ kysely }: Queryable) => kysely.selectFrom('agent_card_changes').selectAll().$castTo<CardChangeRow>();

export async function loadChangePage(
  database: Queryable,
  agentId: number,
  page: { readonly status?: ReviewStatus | undefined; readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: readonly CardChangeRow[]; readonly total: number }> {
  const ofAgent = changes(database).where('agent_id', '=', agentId).orderBy('id', 'desc');
  return loadPage(whereEqual(ofAgent, { status: page.status }), page);
}

export const findChange = (database: Queryable, agentId: number, id: number): Promise<CardChangeRow | undefined> =>
  changes(database).where('agent_id', '=', agentId).where('id', '=', id).executeTakeFirst();

export const findPendingChange = (database: Queryable, agentId: number): Promise<CardChangeRow | undefined> =>
  changes(database).where('agent_id', '=', agentId).where('status', '=', 'pending').executeTakeFirst();

export const findRejectedChange = (database: Queryable, agentId: number, hash: string) =>
  changes(database)
    .where('agent_id', '=', agentId)
    .where('status', '=', 'rejected')
    .where('new_hash', '=', hash)
    .executeTakeFirst();

/** What waits gives way: an admin decides about what the agent shows now. */
export async function insertChange(
  { kysely }: Queryable,
  { decided_by: decidedBy, ...change }: NewCardChange,
): Promise<CardChangeRow> {
  await closePending({ kysely }, change.agent_id);
  const { id } = await kysely
    .insertInto('agent_card_changes')
    .values({
      ...change,
      differences: renderStorable(change.differences),
      findings: renderStorable(change.findings),
      signature: JSON.stringify(change.signature),
      ...(decidedBy !== undefined && { decided_by: decidedBy, decided_at: databaseNow }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return changes({ kysely }).where('id', '=', id).executeTakeFirstOrThrow();
}

export const closePending = ({ kysely }: Queryable, agentId: number) =>
  kysely
    .updateTable('agent_card_changes')
    .set({ status: 'reverted', updated_at: databaseNow })
    .where('agent_id', '=', agentId)
    .where('status', '=', 'pending')
    .execute();

export async function saveDecision(
  { kysely }: Queryable,
  id: number,
  decision: { readonly status: 'approved' | 'rejected'; readonly decided_by: string; readonly note: string | null },
): Promise<CardChangeRow> {
  await kysely
    .updateTable('agent_card_changes')
    .set({ ...decision, decided_at: databaseNow, updated_at: databaseNow })
    .where('id', '=', id)
    .execute();
  return changes({ kysely }).where('id', '=', id).executeTakeFirstOrThrow();
}

export const renderChange = (row: CardChangeRow): AgentCardChange => ({
  id: row.id,
  agent_id: row.agent_id,
  status: row.status,
  severity: row.severity,
  source: row.source,
  differences: row.differences.map(({ needsApproval, similarity, ...difference }) => ({
    ...difference,
    needs_approval: needsApproval,
    ...(similarity !== undefined && { similarity: roundShare(similarity) }),
  })),
  findings: row.findings,
  signature: row.signature,
  old_hash: row.old_hash,
  new_hash: row.new_hash,
  detected_at: row.detected_at.toISOString(),
  decided_at: row.decided_at?.toISOString() ?? null,
  decided_by: row.decided_by,
  note: row.note,
});
