import type { AlertPage } from '@portcullis/contracts/routes/alerts';
import type { Database } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import type { Tables } from '@portcullis/platform/database/tables';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { alertConditions } from './alert-conditions.ts';
import type { AlertFilter, AlertPaging } from './alert-filter.ts';
import { renderAlert } from '@portcullis/platform/alerts/alert-rows';
import { loadDayCounts } from './alert-day-counts.ts';
import { findSegments, type AlertSegment } from './find-segments.ts';
import { isSearch, listedColumns, searchAlerts, type ListedRow } from './search-alerts.ts';

/** One page of a list and how long the list is, both as of one moment. */
export async function loadAlertPage(database: Database, filter: AlertFilter, paging: AlertPaging): Promise<AlertPage> {
  const { limit, offset } = paging;
  const { rows, ...counts } = await readConsistent(database, ({ kysely }) =>
    isSearch(filter) ? searchAlerts(kysely, filter, paging) : loadByDays(kysely, filter, paging),
  );
  return {
    alerts: rows.map(renderAlert),
    ...counts,
    limit,
    offset,
    page: Math.floor(offset / limit) + 1,
    total_pages: Math.ceil(counts.total / limit),
  };
}

async function loadByDays(kysely: Kysely<Tables>, filter: AlertFilter, paging: AlertPaging) {
  const groupBy = paging.sort === 'created_at' ? undefined : paging.sort;
  const dayCounts = await loadDayCounts(kysely, filter, groupBy);
  const rows: ListedRow[] = [];
  for (const segment of findSegments(dayCounts, paging)) {
    rows.push(...(await loadSegment(kysely, filter, groupBy, segment, paging)));
  }
  return { rows, total: dayCounts.reduce((sum, { count }) => sum + count, 0) };
}

/** What is skipped is skipped in an index; only the alerts of the page are read whole. */
async function loadSegment(
  kysely: Kysely<Tables>,
  filter: AlertFilter,
  groupBy: 'severity' | 'status' | undefined,
  { group, from, to, offset, limit }: AlertSegment,
  paging: AlertPaging,
): Promise<readonly ListedRow[]> {
  const window = {
    from: filter.from !== undefined && filter.from > from ? filter.from : from,
    to: filter.to !== undefined && filter.to < to ? filter.to : to,
  };
  const ofGroup = groupBy === undefined ? sql`` : sql` and ${sql.ref(groupBy)} = ${group}`;
  const order = timeOrder(paging);
  const { rows } = await sql<ListedRow>`
    select ${listedColumns(paging)} from alerts where id = any(array(
      select id from alerts where ${alertConditions({ ...filter, ...window })}${ofGroup}
      order by ${order} limit ${limit} offset ${offset}))
    order by ${order}`.execute(kysely);
  return rows;
}

/** Within a group the newest come first, whichever way the groups are ordered. */
const timeOrder = ({ sort, order }: Pick<AlertPaging, 'sort' | 'order'>): RawBuilder<unknown> =>
  sort === 'created_at' && order === 'asc' ? sql`created_at, id` : sql`created_at desc, id desc`;
