import { liveEventsTopic, type LiveEvent } from '@portcullis/contracts/events';
import type { ApprovalKind } from '@portcullis/contracts/routes/approvals';
import type { Bus } from '../coordination/coordination.ts';
import type { Queryable } from '../database/database.ts';
import { findApproval, renderApproval, renderApprovalId } from './approval-rows.ts';

/** Of one look at a target: what is beyond them stands in the list. */
const maxPublished = 100;

/** Tells live watchers of what is held or was decided. It is stored, so nothing is lost where a message does not arrive. */
export async function publishApprovals(
  { database, bus }: { readonly database: Queryable; readonly bus: Bus },
  kind: ApprovalKind,
  ids: readonly number[],
): Promise<void> {
  for (const id of ids.slice(0, maxPublished)) {
    // It may be gone meanwhile.
    const row = await findApproval(database, renderApprovalId({ kind, id })).catch(() => undefined);
    if (row === undefined) continue;
    const event: LiveEvent = { type: 'approval', payload: renderApproval(row) };
    await bus.publish(liveEventsTopic, event).catch(() => undefined);
  }
}
