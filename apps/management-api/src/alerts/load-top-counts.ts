import type { AlertStats } from '@portcullis/contracts/routes/alerts';
import type { Tables } from '@portcullis/platform/database/tables';
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import { alertConditions } from './alert-conditions.ts';
import { cutIntoDays, cutIntoPeriods } from './day-window.ts';
import type { TimeWindow } from './time-window.ts';

const topCount = 10;

type TopCounts = Pick<AlertStats, 'top_policies' | 'top_rules' | 'top_sources'>;

/** The policies, rules and sources with the most alerts of a window, added up from as few periods as it consists of. */
export async function loadTopCounts(kysely: Kysely<Tables>, window: TimeWindow): Promise<TopCounts> {
  const { days, edges } = cutIntoDays(window);
  const parts = [
    ...(days === undefined ? [] : cutIntoPeriods(days).map((period) => countPeriod(periodCondition(period)))),
    ...edges.map(countRows),
  ];
  const { rows } = await sql<Ranked>`${rank(sql.join(parts, sql` union all `))}`.execute(kysely);
  return render(rows);
}

/** The same of rows that are given, and where they begin if they are as many as were to be read. */
export async function loadTopCountsOf(kysely: Kysely<Tables>, given: RawBuilder<unknown>, most: number) {
  const { rows } = await sql<Ranked & { read: number; oldest: Date }>`
    with given as materialized (${given})
    select ranked.*, (select count(*) from given) as read, (select min(created_at) from given) as oldest
    from (${rank(countBySubject(sql`given`))}) as ranked`.execute(kysely);
  const [first] = rows;
  return { ...render(rows), tops_from: first === undefined || first.read < most ? null : first.oldest.toISOString() };
}

interface Ranked {
  readonly subject: string;
  readonly name: string;
  readonly count: number;
}

const rank = (counts: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select subject, value as name, count from (
    select subject, value, sum(count)::bigint as count,
      row_number() over (partition by subject order by sum(count) desc, value) as place
    from (${counts}) as parts (subject, value, count) group by subject, value having sum(count) > 0
  ) as ranked where place <= ${topCount} order by place`;

function render(rows: readonly Ranked[]): TopCounts {
  const of = (wanted: string) =>
    rows.filter(({ subject }) => subject === wanted).map(({ name, count }) => ({ name, count }));
  return { top_policies: of('policy'), top_rules: of('rule'), top_sources: of('source') };
}

/** Each subject by itself, since the index has the periods within a subject. */
const countPeriod = (condition: RawBuilder<SqlBool>): RawBuilder<unknown> =>
  sql`select subject, value, count from alert_top_counts
    where subject = any('{policy,rule,source}') and ${condition}`;

const periodCondition = ({ from, to }: { readonly from: string; readonly to: string }): RawBuilder<SqlBool> =>
  from === to ? sql`period = ${from}` : sql`period >= ${from} and period < ${to}`;

const countRows = (edge: TimeWindow): RawBuilder<unknown> => countBySubject(sql`alerts where ${alertConditions(edge)}`);

/** Reads the rows once and counts them by each subject. */
const countBySubject = (rows: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select case when policy_name is not null then 'policy' when rule_id is not null then 'rule' else 'source' end,
    left(coalesce(policy_name, rule_id, source), 300), count(*)::int
  from ${rows} group by grouping sets ((policy_name), (rule_id), (source))`;
