import type { Problem } from '@portcullis/contracts/envelope';
import { mayCall } from '@portcullis/contracts/route-access';
import type { UserRole } from '@portcullis/contracts/route';
import { listCardChanges } from '@portcullis/contracts/routes/agent-card-changes';
import type { ApprovalFilters } from '@portcullis/contracts/routes/approvals';
import type { Caller } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { all } from '../alerts/alert-conditions.ts';
import { parseTimeWindow } from '../alerts/time-window.ts';
import { decodeCursor, encodeCursor, unknownCursor } from '@portcullis/platform/http/cursor';
import type { ApprovalRow } from '@portcullis/platform/approvals/approval-rows';

/**
 * What a row of the approvals has to be.
 * @param path where the filter stands in the request
 * @throws {GatewayError} for times that do not exist
 */
export function approvalConditionsOrThrow(
  { status = 'pending', kind, severity, proxy, search, ...times }: ApprovalFilters,
  path: '/query' | '/body/filter',
): RawBuilder<SqlBool> {
  const problems: Problem[] = [];
  const { from, to } = parseTimeWindow(times, new Date(), problems, path);
  if (problems.length > 0) throw new GatewayError('bad_request', { problems });
  return all([
    ...Object.entries({ status, kind, severity, proxy_id: proxy }).flatMap(([column, value]) =>
      value === undefined ? [] : [sql<SqlBool>`${sql.ref(column)} = ${value}`],
    ),
    ...(search === undefined
      ? []
      : [
          sql<SqlBool>`(strpos(lower(coalesce(name, 'instructions')), lower(${search})) > 0
            or strpos(lower(coalesce(proxy_name, '')), lower(${search})) > 0)`,
        ]),
    ...(from === undefined ? [] : [sql<SqlBool>`detected_at >= ${from}`]),
    ...(to === undefined ? [] : [sql<SqlBool>`detected_at < ${to}`]),
  ]);
}

/** Cards of agents are read by admins, as at their own routes. */
export const readsCards = (caller: Caller | undefined): boolean =>
  caller?.kind === 'user' && mayCall(caller.role, listCardChanges.role as UserRole);

export const readableBy = (caller: Caller | undefined): RawBuilder<SqlBool> =>
  readsCards(caller) ? sql`true` : sql`kind <> 'card'`;

type Position = Pick<ApprovalRow, 'detected_at' | 'kind' | 'id'>;

export const renderPosition = ({ detected_at: at, kind, id }: Position): string =>
  encodeCursor(`${at.getTime()}.${kind}.${id}`);

/** What comes behind a position. @throws {GatewayError} for a cursor that no page has given */
export function behindOrThrow(cursor: string): RawBuilder<SqlBool> {
  const [, time, kind, id] = /^(\d{1,14})\.([a-z_]{1,20})\.(\d{1,9})$/.exec(decodeCursor(cursor)) ?? [];
  if (time === undefined || kind === undefined || id === undefined) throw unknownCursor();
  return sql`(detected_at, kind, id) < (${new Date(Number(time))}::timestamptz, ${kind}::text, ${Number(id)}::int)`;
}
