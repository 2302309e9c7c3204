import { alertActions, alertCategories, alertStatuses, severities } from '@portcullis/contracts/records';
import type { AlertStats } from '@portcullis/contracts/routes/alerts';
import type { Database } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import type { Tables } from '@portcullis/platform/database/tables';
import { sql, type Kysely } from 'kysely';
import { alertConditions, all } from './alert-conditions.ts';
import { dayConditions, loadDayCounts } from './alert-day-counts.ts';
import { cutIntoDays } from './day-window.ts';
import { loadTopCounts } from './load-top-counts.ts';
import type { TimeWindow } from './time-window.ts';

const hourMs = 3_600_000;
/** Windows up to this are told by hour. */
const longestByHourMs = 48 * hourMs;

/** Sums up the alerts of a window: whole days from the counters, the parts of days at its ends from the rows. */
export function loadAlertStats(database: Database, window: TimeWindow, now: Date): Promise<AlertStats> {
  return readConsistent(database, async ({ kysely }) => {
    const kinds = await loadKinds(kysely, window);
    const recent = await loadKinds(kysely, { from: new Date(now.getTime() - 6 * hourMs) });
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
      ...(await loadTopCounts(kysely, window)),
      last_6h: { total: sum(recent), by_severity: tally(recent, 'severity', severities) },
      interval,
      series: interval === 'hour' ? await loadHours(kysely, window) : await loadDays(kysely, window),
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

async function loadKinds(kysely: Kysely<Tables>, window: TimeWindow): Promise<readonly KindCount[]> {
  const { days, edges } = cutIntoDays(window);
  const kinds = sql.raw('severity, status, category, action');
  const parts = [
    ...(days === undefined
      ? []
      : [sql`select ${kinds}, count from alert_kind_counts where ${all(dayConditions(days))}`]),
    ...edges.map(
      (edge) =>
        sql`select ${kinds}, count(*)::int as count from alerts where ${alertConditions(edge)} group by ${kinds}`,
    ),
  ];
  const { rows } = await sql<KindCount>`
    select ${kinds}, sum(count)::bigint as count from (${sql.join(parts, sql` union all `)}) as parts
    group by ${kinds}`.execute(kysely);
  return rows;
}

/** `date_bin` and not `date_trunc`, which looks the time zone up for each row. */
async function loadHours(kysely: Kysely<Tables>, window: TimeWindow) {
  const { rows } = await sql<{ start: Date; count: number }>`
    select date_bin('1 hour', created_at, '2000-01-01T00:00:00Z') as start, count(*) as count from alerts
    where ${alertConditions(window)} group by 1 order by 1`.execute(kysely);
  return rows.map(({ start, count }) => ({ start: start.toISOString(), count }));
}

async function loadDays(kysely: Kysely<Tables>, window: TimeWindow) {
  const dayCounts = await loadDayCounts(kysely, window, undefined);
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
