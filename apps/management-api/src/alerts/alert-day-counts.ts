import type { Tables } from '@portcullis/platform/database/tables';
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import { alertConditions, all, countedAs, oneOf } from './alert-conditions.ts';
import type { AlertFilter } from './alert-filter.ts';
import { cutIntoDays, type DayWindow } from './day-window.ts';

/** How many alerts of one UTC day a filter lets pass; with a group, those of one severity or status. */
export interface AlertDayCount {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly group: string | null;
  readonly count: number;
}

/** Longer values are cut in the counters, which then do not tell them apart. */
const longestCounted = 299;

/** Counts what a filter lets pass, by day: whole days from the counters where they can tell, the rest from an index. */
export async function loadDayCounts(
  kysely: Kysely<Tables>,
  filter: AlertFilter,
  groupBy: 'severity' | 'status' | undefined,
): Promise<readonly AlertDayCount[]> {
  const group = groupBy === undefined ? sql`null::text` : sql.ref(groupBy);
  const parts = countedAs(filter).flatMap(({ sign, filter: counted }) => {
    const counters = findCounters(counted);
    const of =
      counters === undefined
        ? [countRows(counted, group)]
        : countByCounters(counters, cutIntoDays(counted), counted, group);
    return of.map((part) => sql`select day, "group", ${sql.lit(sign)} * count as count from (${part}) as part`);
  });
  const { rows } = await sql<AlertDayCount>`
    select day, "group", sum(count)::bigint as count from (${sql.join(parts, sql` union all `)}) as parts
    group by day, "group" having sum(count) > 0`.execute(kysely);
  return rows;
}

/** What certain conditions let pass, by day. */
export async function loadDayCountsOf(
  kysely: Kysely<Tables>,
  conditions: RawBuilder<SqlBool>,
): Promise<readonly AlertDayCount[]> {
  const { rows } = await sql<AlertDayCount>`${countByDay(conditions, sql`null::text`)}`.execute(kysely);
  return rows;
}

const countRows = (filter: AlertFilter, group: RawBuilder<unknown>): RawBuilder<unknown> =>
  countByDay(alertConditions(filter), group);

/** Days are written out once each, not once per row, and counts are integers, which add up far faster than bigint. */
const countByDay = (conditions: RawBuilder<SqlBool>, group: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select to_char(date, 'YYYY-MM-DD') as day, "group", count from (
    select (created_at at time zone 'utc')::date as date, ${group} as "group", count(*)::int as count
    from alerts where ${conditions} group by 1, 2) as dates`;

function countByCounters(
  { table, conditions }: Counters,
  { days, edges }: DayWindow,
  filter: AlertFilter,
  group: RawBuilder<unknown>,
): RawBuilder<unknown>[] {
  return [
    ...(days === undefined
      ? []
      : [
          sql`select day, ${group} as "group", count from ${sql.table(table)}
            where ${all([...conditions, ...dayConditions(days)])}`,
        ]),
    ...edges.map((edge) => countRows({ ...filter, ...edge }, group)),
  ];
}

export const dayConditions = ({ from, to }: NonNullable<DayWindow['days']>): RawBuilder<SqlBool>[] => [
  ...(from === undefined ? [] : [sql<SqlBool>`day >= ${from}`]),
  ...(to === undefined ? [] : [sql<SqlBool>`day < ${to}`]),
];

interface Counters {
  readonly table: 'alert_kind_counts' | 'alert_subject_counts';
  readonly conditions: readonly RawBuilder<SqlBool>[];
}

/** Whether it asks for what no counter has. */
const hasUncounted = ({ requestId, keys, shadow, assignees }: AlertFilter): boolean =>
  requestId !== undefined || keys !== undefined || shadow !== undefined || assignees !== undefined;

/** The conditions of a filter on the counters of kinds; undefined when it asks for more than they have. */
export function kindConditions(filter: AlertFilter): readonly RawBuilder<SqlBool>[] | undefined {
  const { severities, statuses, categories, actions, proxyTypes, ...others } = filter;
  const { from: _from, to: _to, ...fields } = others;
  if (Object.values(fields).some((field) => field !== undefined)) return undefined;
  return [
    ...oneOf('severity', severities),
    ...oneOf('status', statuses),
    ...oneOf('category', categories),
    ...oneOf('action', actions),
    ...oneOf('proxy_type', proxyTypes),
  ];
}

/** The counters that can tell how many alerts pass a filter; none when it asks for two things at once that no counter has. */
function findCounters(filter: AlertFilter): Counters | undefined {
  if (hasUncounted(filter)) return undefined;
  const { severities, statuses, categories, actions, proxyTypes, proxyIds } = filter;
  const both = [...oneOf('severity', severities), ...oneOf('status', statuses)];
  const kinds = [...oneOf('category', categories), ...oneOf('action', actions), ...oneOf('proxy_type', proxyTypes)];
  const subjects = Object.entries({
    proxy: proxyIds?.map(String),
    policy: filter.policyNames,
    rule: filter.ruleIds,
    user: filter.userIdentities,
    group: filter.userGroups,
  }).flatMap(([subject, values]) => (values === undefined ? [] : [{ subject, values }]));

  if (subjects.length === 0 && kinds.length > 0) {
    return { table: 'alert_kind_counts', conditions: [...both, ...kinds] };
  }
  const [only = { subject: 'all', values: [''] }, another] = subjects;
  if (another !== undefined || kinds.length > 0) return undefined;
  if (only.values.some(({ length }) => length > longestCounted)) return undefined;
  const { subject, values } = only;
  return {
    table: 'alert_subject_counts',
    conditions: [sql`subject = ${subject}`, ...oneOf('value', values), ...both],
  };
}
