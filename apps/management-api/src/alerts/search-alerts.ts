import { alertStatuses, severities } from '@portcullis/contracts/records';
import type { Tables } from '@portcullis/platform/database/tables';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { containsText } from '../search/contains-text.ts';
import { alertConditions } from './alert-conditions.ts';
import type { AlertFilter, AlertPaging } from './alert-filter.ts';
import { alertColumns, type AlertRow } from '@portcullis/platform/alerts/alert-rows';

/** Alerts that a search looks through, the newest of those that pass the other filters; more only when made at the same moment. */
const searchLimit = 20_000;
/** With a filter by what many alerts have: they lie a few to a page of the disk. */
const looseLimit = 5_000;
/** With a filter whose alerts lie far apart, which makes each of them cost ten times as much, or with several filters. */
const scatteredLimit = 2_000;

function limitOf(filter: AlertFilter): number {
  const [field, another] = fieldsOf(filter);
  if (field === undefined) return searchLimit;
  return another === undefined && looseFields.has(field) ? looseLimit : scatteredLimit;
}

const looseFields: ReadonlySet<keyof AlertFilter> = new Set([
  'severities',
  'statuses',
  'categories',
  'actions',
  'proxyTypes',
]);

/** What the filter asks for beside the text and the time. */
const fieldsOf = ({ search: _search, from: _from, to: _to, ...fields }: AlertFilter) =>
  (Object.keys(fields) as (keyof typeof fields)[]).filter((name) => fields[name] !== undefined);

/**
 * Finds a part of a text, in any case, among the newest alerts that pass the other filters. Any text
 * is looked for at any place, so there is an end to it, and it is told: `searched_from` is where to go on.
 */
export async function searchAlerts(
  kysely: Kysely<Tables>,
  filter: AlertFilter & { readonly search: string },
  paging: AlertPaging,
) {
  const most = limitOf(filter);
  const { rows } = await sql<{ ids: number[]; total: number; searched: number; oldest: Date | null }>`
    with looked as materialized (${lookThrough(filter, most)})
    select count(*) as searched, count(*) filter (where hit) as total,
      date_trunc('milliseconds', min(created_at) + interval '999 microseconds') as oldest,
      array(select id from looked where hit order by ${listOrder(paging)} limit ${paging.limit} offset ${paging.offset})
        as ids
    from looked`.execute(kysely);
  const { ids, total, searched, oldest } = rows[0] ?? { ids: [], total: 0, searched: 0, oldest: null };
  const found = await sql<AlertRow>`
    select ${alertColumns} from alerts where id = any(${ids}) order by ${listOrder(paging)}`.execute(kysely);
  const isEverything = searched < most;
  return { rows: found.rows, total, searched, searched_from: isEverything ? null : (oldest?.toISOString() ?? null) };
}

/**
 * Two conditions are one index's only when it carries the second along, and then only as long as nothing
 * else of the rows is asked for: so the ids are found first.
 */
function lookThrough(filter: AlertFilter & { readonly search: string }, most: number): RawBuilder<unknown> {
  const newest = sql`from alerts where ${alertConditions(filter)}
    order by created_at desc fetch first ${sql.lit(most)} rows with ties`;
  const looked = sql`select id, created_at, severity, status, ${containsText(filter.search)} as hit`;
  if (fieldsOf(filter).length < 2) return sql`${looked} ${newest}`;
  return sql`${looked} from alerts where id = any(array(select id from (select id, created_at ${newest}) as newest))`;
}

const byRank = {
  severity: sql`array_position(${severities.toReversed()}::text[], severity)`,
  status: sql`array_position(${[...alertStatuses]}::text[], status)`,
};

function listOrder({ sort, order }: AlertPaging) {
  const direction = order === 'desc' ? sql`desc` : sql`asc`;
  if (sort === 'created_at') return sql`created_at ${direction}, id ${direction}`;
  return sql`${byRank[sort]} ${direction}, created_at desc, id desc`;
}
