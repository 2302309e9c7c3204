import { alertStatuses, severities } from '@portcullis/contracts/records';
import type { Tables } from '@portcullis/platform/database/tables';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { containsText } from '../search/contains-text.ts';
import { alertConditions } from './alert-conditions.ts';
import type { AlertFilter, AlertPaging } from './alert-filter.ts';
import { alertColumns, briefAlertColumns, type AlertRow } from '@portcullis/platform/alerts/alert-rows';

/** Alerts that a search looks through, the newest of those that pass the other filters; more only when made at the same moment. */
const searchLimit = 20_000;
/** With a filter by what many alerts have: they lie a few to a page of the disk. */
const looseLimit = 5_000;
/** With a filter whose alerts lie far apart, which makes each of them cost ten times as much, or with several filters. */
const scatteredLimit = 2_000;

/** How many of the newest alerts are read for what no counter has. */
export function limitOf(filter: AlertFilter): number {
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
 * Finds a part of a text, in any case, among the newest alerts that pass the other filters, and those of the request whose
 * id the text is. Any text is looked for at any place, so there is an end to it, and it is told: `searched_from` is where to go on.
 */
export async function searchAlerts(kysely: Kysely<Tables>, filter: SearchFilter, paging: AlertPaging) {
  const { rows } = await sql<Searched & { ids: number[]; total: number }>`
    with ${foundBySearch(filter)}
    select ${searchedColumns}, (select count(*) from found) as total,
      array(select id from found order by ${listOrder(paging)} limit ${paging.limit} offset ${paging.offset}) as ids
    from looked`.execute(kysely);
  const { ids = [], total = 0, ...searched } = rows[0] ?? {};
  const found = await sql<ListedRow>`
    select ${listedColumns(paging)} from alerts where id = any(${ids}) order by ${listOrder(paging)}`.execute(kysely);
  return { rows: found.rows, total, ...reachOf(filter, searched) };
}

/** The newest alerts that a search finds, and how far it got. */
export async function findByText(kysely: Kysely<Tables>, filter: SearchFilter, limit = searchLimit) {
  const { rows } = await sql<Searched & { ids: number[] }>`
    with ${foundBySearch(filter)}
    select ${searchedColumns}, array(select id from found order by created_at desc, id desc limit ${limit}) as ids
    from looked`.execute(kysely);
  const { ids = [], ...searched } = rows[0] ?? {};
  return { ids, reach: reachOf(filter, searched) };
}

export type ListedRow = Omit<AlertRow, 'raw_data'> & Partial<Pick<AlertRow, 'raw_data'>>;
export const listedColumns = ({ withRawData }: Pick<AlertPaging, 'withRawData'>): RawBuilder<unknown> =>
  withRawData ? alertColumns : briefAlertColumns;

export type SearchFilter = AlertFilter & { readonly search: string };

export const isSearch = (filter: AlertFilter): filter is SearchFilter => filter.search !== undefined;

interface Searched {
  readonly searched: number;
  readonly oldest: Date | null;
}

const searchedColumns = sql`count(*) as searched,
  date_trunc('milliseconds', min(created_at) + interval '999 microseconds') as oldest`;

const reachOf = (filter: AlertFilter, { searched = 0, oldest = null }: Partial<Searched>) => ({
  searched,
  searched_from: searched < limitOf(filter) ? null : (oldest?.toISOString() ?? null),
});

/** The tables `looked`, what was looked through, and `found`. */
function foundBySearch(filter: SearchFilter): RawBuilder<unknown> {
  const columns = sql`id, created_at, severity, status`;
  const { search } = filter;
  return sql`
    looked as materialized (${newestOf(filter, sql`${columns}, ${containsText(search)} or request_id is not distinct from ${search} as hit`)}),
    found as (
      select ${columns} from looked where hit
      union select ${columns} from alerts where ${alertConditions(filter)} and request_id = ${search}
    )`;
}

/**
 * The newest alerts that pass a filter, as many as may be read at once. Two conditions are one index's only when it carries
 * the second along, and then only as long as nothing else of the rows is asked for: so the ids are found first.
 */
export function newestOf(filter: AlertFilter, columns: RawBuilder<unknown>): RawBuilder<unknown> {
  const newest = sql`from alerts where ${alertConditions(filter)}
    order by created_at desc fetch first ${sql.lit(limitOf(filter))} rows with ties`;
  if (fieldsOf(filter).length < 2) return sql`select ${columns} ${newest}`;
  return sql`select ${columns} from alerts where id = any(array(
    select id from (select id, created_at ${newest}) as newest))`;
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
