import { checkDecision, type ReviewDecision } from '@portcullis/core/review/check-decision';
import { checkVersionOrThrow } from '@portcullis/platform/approvals/check-version';
import { publishApprovals } from '@portcullis/platform/approvals/publish-approvals';
import { audited, type AuditedCall } from '@portcullis/platform/audit/audited';
import type { Bus } from '@portcullis/platform/coordination/coordination';
import type { Queryable } from '@portcullis/platform/database/database';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { renderStorable } from '@portcullis/platform/spool/record-line';
import { decideChange, findChangeRow, findPendingChange, type ChangeRow } from './change-queries.ts';
import { saveInstructions } from './server-queries.ts';
import { listToolRowsNamed, updateTools } from './tool-queries.ts';
import { findMcpProxyOrThrow } from './tool-routes.ts';

interface DecidedBy {
  readonly decided_by: string;
  readonly note: string | null;
}

interface AskedDecision {
  readonly proxyId: number;
  readonly changeId: number;
  readonly decision: ReviewDecision;
  readonly note?: string | undefined;
  /** The hash of what was looked at; undefined where the caller does not say. */
  readonly version?: string | undefined;
}

/**
 * Decides about a change, writes it down and tells live watchers.
 * @throws {GatewayError} when there is no such change, nothing to decide about it, or it is not what was looked at
 */
export async function decideToolChange(
  parts: { readonly database: Queryable; readonly bus: Bus },
  call: AuditedCall,
  { proxyId, changeId, decision, note, version }: AskedDecision,
): Promise<ChangeRow> {
  const by = { decided_by: call.caller?.kind === 'user' ? call.caller.username : 'unknown', note: note ?? null };
  const row = await audited(
    parts.database,
    call,
    async (transaction) => {
      await findMcpProxyOrThrow(transaction, proxyId);
      const change = await findChangeRow(transaction, proxyId, changeId);
      if (change !== undefined) checkVersionOrThrow(change.new_hash, version);
      return decisions[decision](transaction, change, by);
    },
    (change) => ({
      event: `mcp.tool.change.${decision}`,
      resource: { type: 'mcp_tool_change', id: change.id, name: change.tool_name },
      details: { proxy_id: proxyId, change_type: change.change_type, hash: change.new_hash, note: change.note },
    }),
  );
  await publishApprovals(parts, 'tool', [row.id]);
  return row;
}

/** @throws {GatewayError} when there is no such change, or nothing to decide about it */
type Decision = (transaction: Queryable, change: ChangeRow | undefined, by: DecidedBy) => Promise<ChangeRow>;

/** What the target offers is taken as good from now on. One that was rejected may still be approved. */
const approve: Decision = async (transaction, change, by) => {
  const open = await findOpenOrThrow(transaction, change, 'approved');
  const { tool_name: name, proxy_id: proxyId, new_definition: definition, new_hash: hash, findings } = open;
  const { description = '', instructions = '' } = Object(definition) as {
    description?: unknown;
    instructions?: string;
  };
  if (name === null) await saveInstructions(transaction, proxyId, instructions, hash ?? '', findings);
  else {
    const rows = await listToolRowsNamed(transaction, proxyId, [name]);
    await updateTools(
      transaction,
      rows.map(({ id }) => id),
      {
        description: typeof description === 'string' ? description : '',
        definition: renderStorable(definition),
        definition_hash: hash ?? '',
        findings: renderStorable(findings),
        held: false,
      },
    );
  }
  return decideChange(transaction, open.id, { status: 'approved', ...by });
};

/** What was known stays what is good. The tool stays held until the target takes the change back. */
const reject: Decision = async (transaction, change, by) => {
  const open = await findOpenOrThrow(transaction, change, 'rejected');
  if (open.tool_name !== null) {
    const rows = await listToolRowsNamed(transaction, open.proxy_id, [open.tool_name]);
    await updateTools(
      transaction,
      rows.map(({ id }) => id),
      { enabled: false },
    );
  }
  return decideChange(transaction, open.id, { status: 'rejected', ...by });
};

async function findOpenOrThrow(
  transaction: Queryable,
  change: ChangeRow | undefined,
  decision: ReviewDecision,
): Promise<ChangeRow> {
  if (change === undefined) throw new GatewayError('not_found', { message: 'There is no such change of this proxy' });
  const pending = await findPendingChange(transaction, change.proxy_id, change.tool_name);
  const message = checkDecision(decision, change, pending);
  if (message !== undefined) throw new GatewayError('conflict', { message });
  return change;
}

const decisions: Readonly<Record<ReviewDecision, Decision>> = { approved: approve, rejected: reject };
