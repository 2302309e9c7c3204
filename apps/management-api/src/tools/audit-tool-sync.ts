import type { ToolChangeSource } from '@portcullis/contracts/routes/mcp-tool-changes';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import type { Queryable } from '@portcullis/platform/database/database';
import type { AppliedToolSync, WatchedProxy } from './apply-tool-sync.ts';

/** Names that one record keeps: a target may have thousands of tools. */
const auditedNames = 100;

/** Writes down what the gateway found out by itself, as the last statement of the transaction in which it was taken over. */
export async function auditToolSync(
  { kysely }: Queryable,
  { id, name }: WatchedProxy,
  { added, changes }: AppliedToolSync,
  source: ToolChangeSource,
): Promise<void> {
  if (added.length === 0 && changes.length === 0) return;
  await recordAudit(kysely, {
    event_type: changes.length === 0 ? 'mcp.tool.discovered' : 'mcp.tool.change.detected',
    actor: { type: 'system', id: null, name: null },
    resource: { type: 'proxy', id, name },
    details: {
      source,
      new_tools: added.map((tool) => tool.name).slice(0, auditedNames),
      changes: changes.map(({ id: change }) => change).slice(0, auditedNames),
    },
  });
}
