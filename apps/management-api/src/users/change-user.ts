import type { AuditEventType } from '@portcullis/contracts/audit-events';
import type { UserChange } from '@portcullis/contracts/routes/users';
import { auditEntry, type AuditedCall } from '@portcullis/platform/audit/audited';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import type { Tables } from '@portcullis/platform/database/tables';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { deleteSessionsOfUser } from '@portcullis/platform/identity/session-queries';
import type { Sessions } from '@portcullis/platform/identity/sessions';
import { findUser, renderUser, type UserRow } from '@portcullis/platform/identity/user-queries';
import type { Transaction } from 'kysely';
import { updateUserRow } from './user-admin-queries.ts';

export interface ChangedUser {
  readonly before: UserRow;
  readonly after: UserRow;
}

/**
 * Changes a user within `guardLastAdmin`, and writes it down. One who is deactivated loses their sessions.
 * @throws {GatewayError} `not_found`
 */
export async function changeUser(
  transaction: Transaction<Tables>,
  call: AuditedCall,
  id: number,
  change: UserChange,
): Promise<ChangedUser> {
  const before = await findUser({ kysely: transaction }, id);
  const after = await updateUserRow({ kysely: transaction }, id, change);
  if (before === undefined || after === undefined) throw unknownUser(id);
  if (!after.active) await deleteSessionsOfUser({ kysely: transaction }, id);
  for (const event of eventsOf(before, after)) {
    const resource = { type: 'user', id, name: after.username };
    const fields = { before: renderUser(before), after: renderUser(after) };
    await recordAudit(transaction, auditEntry(call, { event, resource, ...fields }));
  }
  return { before, after };
}

/** A changed role counts from the next call on; connections must come back with it. */
export async function announceChange(sessions: Sessions, { before, after }: ChangedUser): Promise<void> {
  if (after.active !== before.active || after.role !== before.role) await sessions.announceEnd({ userId: after.id });
}

/** What an update comes to: a change of role or state has a name of its own. */
function eventsOf(before: UserRow, after: UserRow): AuditEventType[] {
  const events: AuditEventType[] = [];
  if (before.role !== after.role) events.push('user.role.changed');
  if (before.active !== after.active) events.push(after.active ? 'user.activated' : 'user.deactivated');
  if (before.email !== after.email || events.length === 0) events.push('user.updated');
  return events;
}

export const unknownUser = (id: number): GatewayError =>
  new GatewayError('not_found', { message: `There is no user ${id}` });
