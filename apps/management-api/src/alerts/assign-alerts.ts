import { auditEntry, type AuditedCall } from '@portcullis/platform/audit/audited';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import type { Database, Queryable } from '@portcullis/platform/database/database';
import { loadPage, whereContains } from '@portcullis/platform/database/list-queries';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { sql } from 'kysely';
import { actorColumns } from './change-alert-status.ts';

/** Who may change alerts can be named for one. */
const roles = ['operator', 'admin'] as const;

export interface Assignee {
  readonly id: number;
  readonly username: string;
}

interface AssigneePart {
  readonly search?: string;
  readonly limit: number;
  readonly offset: number;
}

export async function listAssignees({ kysely }: Queryable, { search, limit, offset }: AssigneePart) {
  const users = kysely
    .selectFrom('users')
    .where('active', '=', true)
    .where('role', 'in', roles)
    .select(['id', 'username', 'role'])
    .$narrowType<{ role: (typeof roles)[number] }>()
    .orderBy(sql`lower(username)`)
    .orderBy('id');
  const { rows, total } = await loadPage(whereContains(users, sql.ref('username'), search), { limit, offset });
  return { users: rows, total, limit, offset };
}

/** @throws {GatewayError} that names the field, unless it is a user who may change alerts; null unassigns the alert */
async function findAssigneeOrThrow(
  { kysely }: Queryable,
  userId: number | null,
  path: string,
): Promise<Assignee | null> {
  if (userId === null) return null;
  const user = await kysely
    .selectFrom('users')
    .select(['id', 'username'])
    .where('id', '=', userId)
    .where('active', '=', true)
    .where('role', 'in', roles)
    // Nobody deletes or demotes them until the alert is theirs.
    .forShare()
    .executeTakeFirst();
  if (user !== undefined) return user;
  const rule = 'must be the id of an active operator or admin';
  throw new GatewayError('bad_request', { problems: [{ path, rule }] });
}

/** Names who works on an alert. Answers whether that is another one than before; undefined when there is no such alert. */
export function assignOne(
  database: Database,
  call: AuditedCall,
  id: number,
  userId: number | null,
): Promise<boolean | undefined> {
  return database.kysely.transaction().execute(async (transaction) => {
    const alert = await transaction
      .selectFrom('alerts')
      .select([
        'title',
        'status',
        'assignee_id',
        sql<string | null>`(select username from users where users.id = assignee_id)`.as('assignee'),
      ])
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (alert === undefined) return undefined;
    const assignee = await findAssigneeOrThrow({ kysely: transaction }, userId, '/body/user_id');
    if (alert.assignee_id === userId) return false;
    await transaction
      .updateTable('alerts')
      .set({ assignee_id: userId, updated_at: sql<Date>`greatest(now(), created_at)` })
      .where('id', '=', id)
      .execute();
    await transaction
      .insertInto('alert_events')
      .values({
        alert_id: id,
        event: 'assignee',
        from_status: alert.status,
        to_status: alert.status,
        assignee: assignee?.username ?? null,
        ...actorColumns(call.caller),
      })
      .execute();
    const change = {
      event: 'alert.assigned' as const,
      resource: { type: 'alert', id, name: alert.title },
      before: { assignee: alert.assignee },
      after: { assignee: assignee?.username ?? null },
    };
    await recordAudit(transaction, auditEntry(call, change));
    return true;
  });
}
