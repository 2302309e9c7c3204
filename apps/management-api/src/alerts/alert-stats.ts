import { alertActions, alertCategories, alertStatuses, severities } from '@portcullis/contracts/records';
import type { AlertStats } from '@portcullis/contracts/routes/alerts';
import type { Database } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import type { Tables } from '@portcullis/platform/database/tables';
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import { alertConditions, all, countedAs } from './alert-conditions.ts';
import type { AlertFilter } from './alert-filter.ts';
import { dayConditions, kindConditions, loadDayCounts, loadDayCountsOf } from './alert-day-counts.ts';
import { cutIntoDays } from './day-window.ts';
import { loadTopCounts, loadTopCountsOf } from './load-top-counts.ts';
import { findByText, isSearch, limitOf, newestOf } from './search-alerts.ts';

const hourMs = 3_600_000;
const recentMs = 6 * hourMs;
/** Windows up to this are told by hour. */
const longestByHourMs = 48 * hourMs;

type Reach = Pick<AlertStats, 'searched' | 'searched_from'>;

/** Which alerts are counted: those that pass a filter, or those that a search has found. */
interface Scope {
  readonly filter: AlertFilter;
  readonly ids?: readonly number[];
  readonly reach?: Reach;
}

/** Sums up alerts: whole days from the counters where they can tell, the rest from an index or the rows. */
export function loadAlertStats(database: Database, filter: AlertFilter, now: Date): Promise<AlertStats> {
  return readConsistent(database, async ({ kysely }) => {
    const scope: Scope = isSearch(filter) ? { filter, ...(await findByText(kysely, filter)) } : { filter };
    const { from, to } = filter;
    const kinds = await loadKinds(kysely, scope);
    const recent = await loadRecent(kysely, scope, now);
    const lengthMs = from === undefined ? Infinity : (to ?? now).getTime() - from.getTime();
    const interval = lengthMs <= longestByHourMs ? 'hour' : 'day';
    return {
      from: from?.toISOString() ?? null,
      to: to?.toISOString() ?? null,
      total: sum(kinds),
      by_severity: tally(kinds, 'severity', severities),
      by_status: tally(kinds, 'status', alertStatuses),
      by_category: tally(kinds, 'category', alertCategories),
      by_action: tally(kinds, 'action', alertActions),
      ...(await findTops(kysely, scope)),
      last_6h: { total: sum(recent), by_severity: tally(recent, 'severity', severities) },
      interval,
      series: interval === 'hour' ? await loadHours(kysely, scope) : await loadDays(kysely, scope),
      ...scope.reach,
    };
  });
}

interface KindCount {
  readonly severity: string;
  readonly status: string;
  readonly category: string;
  readonly action: string;
  readonly count: number;
}

const kindColumns = sql.raw('severity, status, category, action');

/** What passed a filter in the rows, or was found. */
const conditionsOf = ({ filter, ids }: Scope): RawBuilder<SqlBool> =>
  ids === undefined ? alertConditions(filter) : sql`id = any(${ids})`;

const countKinds = (conditions: RawBuilder<SqlBool>): RawBuilder<unknown> =>
  sql`select ${kindColumns}, count(*)::int as count from alerts where ${conditions} group by ${kindColumns}`;

async function loadKinds(kysely: Kysely<Tables>, scope: Scope): Promise<readonly KindCount[]> {
  const parts =
    scope.ids === undefined
      ? countedAs(scope.filter).flatMap(({ sign, filter }) =>
          kindParts(filter).map(
            (part) => sql`select ${kindColumns}, ${sql.lit(sign)} * count as count from (${part}) as part`,
          ),
        )
      : [countKinds(conditionsOf(scope))];
  const { rows } = await sql<KindCount>`
    select ${kindColumns}, sum(count)::bigint as count from (${sql.join(parts, sql` union all `)}) as parts
    group by ${kindColumns}`.execute(kysely);
  return rows;
}

function kindParts(filter: AlertFilter): readonly RawBuilder<unknown>[] {
  const counted = kindConditions(filter);
  if (counted === undefined) return [countKinds(alertConditions(filter))];
  const { days, edges } = cutIntoDays(filter);
  return [
    ...(days === undefined
      ? []
      : [sql`select ${kindColumns}, count from alert_kind_counts where ${all([...counted, ...dayConditions(days)])}`]),
    ...edges.map((edge) => countKinds(alertConditions({ ...filter, ...edge }))),
  ];
}

async function loadRecent(kysely: Kysely<Tables>, scope: Scope, now: Date): Promise<readonly KindCount[]> {
  const since = new Date(now.getTime() - recentMs);
  const { from } = scope.filter;
  const filter = { ...scope.filter, from: from !== undefined && from > since ? from : since };
  if (scope.ids === undefined) return loadKinds(kysely, { filter });
  const { rows } = await sql<KindCount>`${countKinds(sql`${conditionsOf(scope)} and created_at >= ${since}`)}`.execute(
    kysely,
  );
  return rows;
}

/** Of everything the counters have them; under filters they are of the newest. */
async function findTops(kysely: Kysely<Tables>, scope: Scope) {
  const { from: _from, to: _to, ...fields } = scope.filter;
  const isEverything = Object.values(fields).every((field) => field === undefined);
  if (isEverything) return { ...(await loadTopCounts(kysely, scope.filter)), tops_from: null };
  const columns = sql`policy_name, rule_id, source, created_at`;
  const rows =
    scope.ids === undefined
      ? newestOf(scope.filter, columns)
      : sql`select ${columns} from alerts where ${conditionsOf(scope)}`;
  return loadTopCountsOf(kysely, rows, limitOf(scope.filter));
}

/** `date_bin` and not `date_trunc`, which looks the time zone up for each row. */
async function loadHours(kysely: Kysely<Tables>, scope: Scope) {
  const { rows } = await sql<{ start: Date; count: number }>`
    select date_bin('1 hour', created_at, '2000-01-01T00:00:00Z') as start, count(*) as count from alerts
    where ${conditionsOf(scope)} group by 1 order by 1`.execute(kysely);
  return rows.map(({ start, count }) => ({ start: start.toISOString(), count }));
}

async function loadDays(kysely: Kysely<Tables>, scope: Scope) {
  const dayCounts =
    scope.ids === undefined
      ? await loadDayCounts(kysely, scope.filter, undefined)
      : await loadDayCountsOf(kysely, conditionsOf(scope));
  return dayCounts
    .map(({ day, count }) => ({ start: `${day}T00:00:00.000Z`, count }))
    .toSorted((a, b) => (a.start < b.start ? -1 : 1));
}

const sum = (counts: readonly { readonly count: number }[]): number =>
  counts.reduce((total, { count }) => total + count, 0);

const tally = (
  counts: readonly KindCount[],
  field: 'severity' | 'status' | 'category' | 'action',
  names: readonly string[],
): Record<string, number> =>
  Object.fromEntries(names.map((name) => [name, sum(counts.filter((count) => count[field] === name))]));
