import type { ApprovalCounts, ApprovalPage, ApprovalQuery } from '@portcullis/contracts/routes/approvals';
import { approvalRows, renderApproval, type ApprovalRow } from '@portcullis/platform/approvals/approval-rows';
import type { Queryable } from '@portcullis/platform/database/database';
import type { Caller } from '@portcullis/platform/routes/bound-route';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { approvalConditionsOrThrow, behindOrThrow, readableBy, renderPosition } from './approval-filter.ts';

const maxCounted = 10_000;
const maxProxies = 100;

/** A page and its counts; both of one moment when `database` is one. */
export async function findApprovals(
  database: Queryable,
  { limit, cursor, ...filters }: ApprovalQuery,
  caller: Caller | undefined,
): Promise<ApprovalPage> {
  const conditions = sql<SqlBool>`${approvalConditionsOrThrow(filters, '/query')} and ${readableBy(caller)}`;
  const behind = cursor === undefined ? sql<SqlBool>`true` : behindOrThrow(cursor);
  const found = await findNewest(database, sql<SqlBool>`${conditions} and ${behind}`, limit + 1);
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return {
    approvals: rows.map(renderApproval),
    counts: await countApprovals(database, conditions),
    next_cursor: found.length > limit && last !== undefined ? renderPosition(last) : null,
  };
}

export async function findNewest(
  { kysely }: Queryable,
  conditions: RawBuilder<SqlBool>,
  limit: number,
): Promise<readonly ApprovalRow[]> {
  const { rows } = await sql<ApprovalRow>`
    select * from ${approvalRows} where ${conditions}
    order by detected_at desc, kind desc, id desc limit ${limit}`.execute(kysely);
  return rows;
}

type Counted = Pick<ApprovalRow, 'kind' | 'severity' | 'proxy_id' | 'proxy_name'> & { readonly count: number };

async function countApprovals({ kysely }: Queryable, conditions: RawBuilder<SqlBool>): Promise<ApprovalCounts> {
  const { rows } = await sql<Counted>`
    select kind, severity, proxy_id, proxy_name, count(*)::int as count from (
      select * from ${approvalRows} where ${conditions} order by detected_at desc limit ${maxCounted + 1}) counted
    group by kind, severity, proxy_id, proxy_name`.execute(kysely);
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  const proxies = sumBy(rows, ({ proxy_id: id }) => id);
  const names = new Map(rows.map(({ proxy_id: id, proxy_name: name }) => [id, name]));
  return {
    total: Math.min(total, maxCounted),
    is_complete: total <= maxCounted,
    by_kind: Object.fromEntries(sumBy(rows, ({ kind }) => kind)),
    by_severity: Object.fromEntries(sumBy(rows, ({ severity }) => severity)),
    by_proxy: [...proxies]
      .flatMap(([id, count]) => (id === null ? [] : [{ proxy_id: id, proxy_name: names.get(id) ?? '', count }]))
      .toSorted((a, b) => b.count - a.count || a.proxy_id - b.proxy_id)
      .slice(0, maxProxies),
  };
}

function sumBy<Key>(rows: readonly Counted[], keyOf: (row: Counted) => Key): ReadonlyMap<Key, number> {
  const sums = new Map<Key, number>();
  for (const row of rows) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0) + row.count);
  return sums;
}
