import { alertActions, alertCategories, alertStatuses, severities } from '@portcullis/contracts/records';
import type { AlertStats } from '@portcullis/contracts/routes/alerts';
import type { Database } from '@portcullis/platform/database/database';
import type { Tables } from '@portcullis/platform/database/tables';
import { sql, type Kysely } from 'kysely';
import { alertConditions, all } from './alert-conditions.ts';
import { dayConditions } from './alert-slices.ts';
import { cutIntoDays } from './day-window.ts';
import type { TimeWindow } from './time-window.ts';

const hourMs = 3_600_000;
/** Windows up to this are told by hour. */
const longestByHourMs = 48 * hourMs;
const topCount = 10;

/** Sums up the alerts of a window: whole days from the counters, the parts of days at its ends from the rows. */
export function loadAlertStats(database: Database, window: TimeWindow, now: Date): Promise<AlertStats> {
  return database.kysely
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (transaction) => {
      const kinds = await loadKinds(transaction, window);
      const recent = await loadKinds(transaction, { from: new Date(now.getTime() - 6 * hourMs) });
      const lengthMs = window.from === undefined ? Infinity : (window.to ?? now).getTime() - window.from.getTime();
      const interval = lengthMs <= longestByHourMs ? 'hour' : 'day';
      return {
        from: window.from?.toISOString() ?? null,
        to: window.to?.toISOString() ?? null,
        total: sum(kinds),
        by_severity: tally(kinds, 'severity', severities),
        by_status: tally(kinds, 'status', alertStatuses),
        by_category: tally(kinds, 'category', alertCategories),
        by_action: tally(kinds, 'action', alertActions),
        top_policies: await loadTop(transaction, window, 'policy'),
        top_rules: await loadTop(transaction, window, 'rule'),
        top_sources: await loadTop(transaction, window, 'source'),
        last_6h: { total: sum(recent), by_severity: tally(recent, 'severity', severities) },
        interval,
        series: interval === 'hour' ? await loadHours(transaction, window) : sumByDay(kinds),
      };
    });
}

interface KindCount {
  readonly day: string;
  readonly severity: string;
  readonly status: string;
  readonly category: string;
  readonly action: string;
  readonly count: number;
}

const dayOfRow = sql`to_char(created_at at time zone 'utc', 'YYYY-MM-DD')`;

async function loadKinds(kysely: Kysely<Tables>, window: TimeWindow): Promise<readonly KindCount[]> {
  const { days, edges } = cutIntoDays(window);
  const kinds = sql.raw('severity, status, category, action');
  const parts = [
    ...(days === undefined
      ? []
      : [sql`select day, ${kinds}, count from alert_kind_counts where ${all(dayConditions(days))}`]),
    ...edges.map(
      (edge) => sql`select ${dayOfRow} as day, ${kinds}, count(*) as count from alerts
        where ${alertConditions(edge)} group by 1, ${kinds}`,
    ),
  ];
  const { rows } = await sql<KindCount>`
    select day, ${kinds}, sum(count)::bigint as count from (${sql.join(parts, sql` union all `)}) as parts
    group by day, ${kinds}`.execute(kysely);
  return rows;
}

const topColumns = { policy: 'policy_name', rule: 'rule_id', source: 'source' } as const;

async function loadTop(kysely: Kysely<Tables>, window: TimeWindow, subject: keyof typeof topColumns) {
  const { days, edges } = cutIntoDays(window);
  const parts = [
    ...(days === undefined
      ? []
      : [
          sql`select value, count from alert_subject_counts
            where ${all([sql`subject = ${subject}`, ...dayConditions(days)])}`,
        ]),
    ...edges.map(
      (edge) => sql`select left(${sql.ref(topColumns[subject])}, 300) as value, count(*) as count from alerts
        where ${alertConditions(edge)} group by 1`,
    ),
  ];
  const { rows } = await sql<{ name: string; count: number }>`
    select value as name, sum(count)::bigint as count from (${sql.join(parts, sql` union all `)}) as parts
    group by value having sum(count) > 0 order by 2 desc, 1 limit ${topCount}`.execute(kysely);
  return rows;
}

async function loadHours(kysely: Kysely<Tables>, window: TimeWindow) {
  const { rows } = await sql<{ start: Date; count: number }>`
    select date_trunc('hour', created_at, 'UTC') as start, count(*) as count from alerts
    where ${alertConditions(window)} group by 1 order by 1`.execute(kysely);
  return rows.map(({ start, count }) => ({ start: start.toISOString(), count }));
}

function sumByDay(kinds: readonly KindCount[]) {
  const days = Map.groupBy(kinds, ({ day }) => day);
  return [...days]
    .map(([day, counts]) => ({ start: `${day}T00:00:00.000Z`, count: sum(counts) }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => a.start.localeCompare(b.start));
}

const sum = (counts: readonly { readonly count: number }[]): number =>
  counts.reduce((total, { count }) => total + count, 0);

const tally = (
  counts: readonly KindCount[],
  field: 'severity' | 'status' | 'category' | 'action',
  names: readonly string[],
): Record<string, number> =>
  Object.fromEntries(names.map((name) => [name, sum(counts.filter((count) => count[field] === name))]));
