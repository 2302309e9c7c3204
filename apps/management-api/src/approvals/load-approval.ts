import type { ApprovalDetail } from '@portcullis/contracts/routes/approvals';
import { withAnnotations } from '@portcullis/core/mcp/compare-tool';
import { roundShare } from '@portcullis/core/numbers/round-to';
import { findApproval, renderApproval } from '@portcullis/platform/approvals/approval-rows';
import type { Queryable } from '@portcullis/platform/database/database';
import { findChangeRow } from '../tools/change-queries.ts';
import { diffDefinitions } from './diff-definitions.ts';
import { loadCallers } from './load-callers.ts';

/** What is held with all that a decision needs; undefined when there is none with this id. */
export async function loadApproval(database: Queryable, id: string): Promise<ApprovalDetail | undefined> {
  const row = await findApproval(database, id);
  if (row === undefined) return undefined;
  const change = await findChangeRow(database, row.proxy_id, row.id);
  if (change === undefined) return undefined;
  const isTool = change.tool_name !== null;
  const [before, after] = [change.old_definition, change.new_definition].map((definition) =>
    isTool ? withAnnotations(definition) : definition,
  );
  return {
    ...renderApproval(row),
    similarity: change.similarity === null ? null : roundShare(change.similarity),
    differences: diffDefinitions(before, after, change.findings),
    findings: change.findings,
    callers: await loadCallers(database, row.proxy_id, change.tool_name),
  };
}
