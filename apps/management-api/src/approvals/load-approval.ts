import type { ApprovalDetail, ApprovalKind } from '@portcullis/contracts/routes/approvals';
import { withAnnotations } from '@portcullis/core/mcp/compare-tool';
import { roundShare } from '@portcullis/core/numbers/round-to';
import { findChange } from '@portcullis/platform/agents/card-change-queries';
import { findApproval, renderApproval, type ApprovalRow } from '@portcullis/platform/approvals/approval-rows';
import type { Queryable } from '@portcullis/platform/database/database';
import { findChangeRow } from '../tools/change-queries.ts';
import { diffCards, diffDefinitions } from './diff-definitions.ts';
import { loadAgentCallers, loadToolCallers } from './load-callers.ts';
import { loadSkillChange } from './load-skill-change.ts';

type Change = Pick<ApprovalDetail, 'similarity' | 'differences' | 'findings' | 'callers'>;

/** What is held with all that a decision needs; undefined when there is none with this id. */
export async function loadApproval(database: Queryable, id: string): Promise<ApprovalDetail | undefined> {
  const row = await findApproval(database, id);
  if (row === undefined) return undefined;
  const change = await loadChangeOf[row.kind](database, row);
  return change && { ...renderApproval(row), ...change };
}

const loadChangeOf: Readonly<
  Record<ApprovalKind, (database: Queryable, row: ApprovalRow) => Promise<Change | undefined>>
> = { tool: loadToolChange, card: loadCardChange, skill: loadSkillChange };

async function loadToolChange(database: Queryable, row: ApprovalRow): Promise<Change | undefined> {
  const proxyId = row.proxy_id ?? 0;
  const change = await findChangeRow(database, proxyId, row.id);
  if (change === undefined) return undefined;
  const { tool_name: tool, old_definition: before, new_definition: after, findings, similarity } = change;
  // Instructions have no annotations.
  const compared = tool === null ? [before, after] : [withAnnotations(before), withAnnotations(after)];
  return {
    similarity: similarity === null ? null : roundShare(similarity),
    differences: diffDefinitions(compared[0], compared[1], findings),
    findings,
    callers: await loadToolCallers(database, proxyId, tool),
  };
}

async function loadCardChange(database: Queryable, row: ApprovalRow): Promise<Change | undefined> {
  const agentId = row.agent_id ?? 0;
  const change = await findChange(database, agentId, row.id);
  if (change === undefined) return undefined;
  const described = change.differences.find(({ type }) => type === 'description_changed');
  return {
    similarity: described?.similarity === undefined ? null : roundShare(described.similarity),
    differences: diffCards(change.differences, change.findings),
    findings: change.findings,
    callers: await loadAgentCallers(database, agentId),
  };
}
