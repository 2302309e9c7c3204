import { auditEventTypes, type AuditRecord } from '@portcullis/contracts/audit-events';
import type { HistoryEntry, HistoryPage, HistoryParts, HistoryQuery } from '@portcullis/contracts/history';
import type { Route } from '@portcullis/contracts/route';
import { sql } from 'kysely';
import type { TSchema } from 'typebox';
import type { Queryable } from '../database/database.ts';
import { decodeCursor, encodeCursor, unknownCursor } from '../http/cursor.ts';
import { bind, type BoundRoute, type Call } from '../routes/bound-route.ts';

/** How names of events end that change what they are about. What is only used, read or refused leaves other records. */
const changing =
  /[._](created|updated|deleted|revoked|rotated|activated|deactivated|changed?|reset|added|removed|ended|started|stopped|restarted|rolled_back|assigned|unassigned|enabled|disabled|discovered|detected|approved|rejected|quarantined|submitted|uploaded)$/;
const notOfObjects = /^(auth\.login|oauth\.authorization|guardrail\.evaluation)\./;
const changeEvents = auditEventTypes.filter((type) => changing.test(type) && !notOfObjects.test(type));

/** Records of an object that a page looks through at most: refusals stand among them. */
const maxSearched = 10_000;

interface HistoryObject {
  /** As records of the audit log name it. */
  readonly type: string;
  /** Null where there is one alone. */
  readonly id: number | string | null;
  /** Only what changed this field, or fields below it. */
  readonly field?: string | undefined;
}

/**
 * The history of one kind of objects, which is readable by those who may read the object.
 * @param findOrThrow refuses what the caller may not read, or what there is not
 */
export const bindHistory = <Params extends TSchema>(
  database: Queryable,
  route: Route<HistoryParts<Params>>,
  findOrThrow: (call: Call<HistoryParts<Params>>) => Promise<HistoryObject>,
): BoundRoute =>
  bind(route, async (call) => ({ data: await loadHistory(database, await findOrThrow(call), call.query) }));

type HistoryRow = Pick<
  AuditRecord,
  'event_type' | 'action' | 'result' | 'actor_type' | 'actor_name' | 'actor_role' | 'changes'
> & { readonly id: number; readonly timestamp: Date };

/** @throws {GatewayError} for a cursor that no page has given */
export async function loadHistory(
  { kysely }: Queryable,
  { type, id, field }: HistoryObject,
  { limit, cursor }: HistoryQuery,
): Promise<HistoryPage> {
  const before = cursor === undefined ? undefined : parseCursorOrThrow(cursor);
  const ofObject = kysely
    .selectFrom('audit_log')
    .where('resource_type', '=', type)
    .where('resource_id', id === null ? 'is' : '=', id === null ? null : String(id))
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? 0))
    .$if(field !== undefined, (query) =>
      query.where(
        sql<boolean>`exists (select from jsonb_object_keys(changes) key where starts_with(key || '.', ${`${field}.`}))`,
      ),
    )
    .orderBy('id', 'desc');
  const { rows: looked } = await sql<{ readonly id: number; readonly is_change: boolean }>`
    select id, event_type = any(${changeEvents}) as is_change
    from (${ofObject.select(['id', 'event_type']).limit(maxSearched)}) looked order by id desc`.execute(kysely);
  const changes = looked.filter(({ is_change: isChange }) => isChange);
  const ids = changes.slice(0, limit).map((one) => one.id);
  const rows = await kysely
    .selectFrom('audit_log')
    .select(['id', 'timestamp', 'event_type', 'action', 'result', 'actor_type', 'actor_name', 'actor_role', 'changes'])
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .orderBy('id', 'desc')
    .$castTo<HistoryRow>()
    .execute();
  const last = changes.length > limit ? ids.at(-1) : looked.length === maxSearched ? looked.at(-1)?.id : undefined;
  return { history: rows.map(renderEntry), next_cursor: last === undefined ? null : encodeCursor(`h.${last}`) };
}

const renderEntry = (row: HistoryRow): HistoryEntry => ({
  id: row.id,
  timestamp: row.timestamp.toISOString(),
  event_type: row.event_type,
  action: row.action,
  result: row.result,
  actor: { type: row.actor_type, name: row.actor_name, role: row.actor_role },
  changes: row.changes,
});

function parseCursorOrThrow(cursor: string): number {
  const [, id] = /^h\.(\d{1,15})$/.exec(decodeCursor(cursor)) ?? [];
  if (id === undefined) throw unknownCursor();
  return Number(id);
}
