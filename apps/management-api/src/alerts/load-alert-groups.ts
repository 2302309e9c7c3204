import { severities, type Severity } from '@portcullis/contracts/records';
import type { AlertGroupQuery } from '@portcullis/contracts/routes/alert-groups';
import type { Database } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { sql, type RawBuilder } from 'kysely';
import type { AlertFilter } from './alert-filter.ts';
import { findByText, isSearch, limitOf, newestOf } from './search-alerts.ts';

const columnsOf = {
  rule: ['policy_name', 'rule_id'],
  caller: ['user_identity', 'user_group'],
  rule_caller: ['policy_name', 'rule_id', 'user_identity', 'user_group'],
} as const;
const allColumns = columnsOf.rule_caller;

interface GroupRow {
  readonly policy_name: string | null;
  readonly rule_id: string | null;
  readonly user_identity: string | null;
  readonly user_group: string | null;
  readonly count: number;
  readonly open: number;
  readonly severity: Severity;
  readonly first_at: Date;
  readonly latest_at: Date;
  readonly latest_id: number;
}

/** The same in each row of a page. */
interface GroupTotals {
  /** Groups. */
  readonly total: number;
  /** Alerts. */
  readonly counted: number;
  readonly oldest: Date | null;
}

/** Rules and callers are too many together for counters, so the newest alerts are grouped, as many as a search reads. */
export function loadAlertGroups(
  database: Database,
  filter: AlertFilter,
  { by, limit, offset }: Pick<AlertGroupQuery, 'by' | 'limit' | 'offset'>,
) {
  return readConsistent(database, async ({ kysely }) => {
    const columns = sql`id, created_at, severity, status, ${names(allColumns)}`;
    const search = isSearch(filter) ? await findByText(kysely, filter) : undefined;
    const given =
      search === undefined
        ? newestOf(filter, columns)
        : sql`select ${columns} from alerts where id = any(${search.ids})`;
    const grouped = columnsOf[by];
    const shown = allColumns.map((name) =>
      (grouped as readonly string[]).includes(name) ? sql.ref(name) : sql`null::text as ${sql.ref(name)}`,
    );
    const { rows } = await sql<GroupRow & GroupTotals>`
      select ${sql.join(shown)}, count(*) as count,
        count(*) filter (where status not in ('resolved', 'false_positive')) as open,
        (array[${sql.join(severities.map((name) => sql.lit(name)))}])[
          min(array_position(array[${sql.join(severities.map((name) => sql.lit(name)))}], severity))] as severity,
        min(created_at) as first_at, max(created_at) as latest_at, max(id) as latest_id,
        count(*) over () as total, (sum(count(*)) over ())::bigint as counted, min(min(created_at)) over () as oldest
      from (${given}) as given group by ${names(grouped)}
      order by count desc, latest_at desc, latest_id desc limit ${limit} offset ${offset}`.execute(kysely);
    const { total, counted, oldest } = rows[0] ?? (await countGroups());
    const isEverything = search !== undefined || counted < limitOf(filter);
    return {
      groups: rows.map(({ total: _total, counted: _counted, oldest: _oldest, ...row }) => ({
        ...row,
        first_at: row.first_at.toISOString(),
        latest_at: row.latest_at.toISOString(),
      })),
      total,
      counted,
      counted_from: isEverything ? null : (oldest?.toISOString() ?? null),
      limit,
      offset,
      ...search?.reach,
    };

    /** Behind the last page no row tells them. */
    async function countGroups(): Promise<GroupTotals> {
      const none: GroupTotals = { total: 0, counted: 0, oldest: null };
      if (offset === 0) return none;
      const { rows: behind } = await sql<GroupTotals>`
        select count(*) as total, coalesce(sum(count), 0)::bigint as counted, min(oldest) as oldest from (
          select count(*) as count, min(created_at) as oldest from (${given}) as given group by ${names(grouped)}) as groups`.execute(
        kysely,
      );
      return behind[0] ?? none;
    }
  });
}

const names = (columns: readonly string[]): RawBuilder<unknown> => sql.join(columns.map((name) => sql.ref(name)));
