import { checkDecision, type ReviewDecision } from '@portcullis/core/review/check-decision';
import type { Queryable } from '@portcullis/platform/database/database';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { renderStorable } from '@portcullis/platform/spool/record-line';
import { decideChange, findPendingChange, type ChangeRow } from './change-queries.ts';
import { saveInstructions } from './server-queries.ts';
import { listToolRowsNamed, updateTools } from './tool-queries.ts';

interface DecidedBy {
  readonly decided_by: string;
  readonly note: string | null;
}

/** @throws {GatewayError} when there is no such change, or nothing to decide about it */
export type Decision = (transaction: Queryable, change: ChangeRow | undefined, by: DecidedBy) => Promise<ChangeRow>;

/** What the target offers is taken as good from now on. One that was rejected may still be approved. */
export const approve: Decision = async (transaction, change, by) => {
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
export const reject: Decision = async (transaction, change, by) => {
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
