import { alertStatuses, severities } from '@portcullis/contracts/records';
import type { Tables } from '@portcullis/platform/database/tables';
import { sql, type Kysely } from 'kysely';
import { alertConditions } from './alert-conditions.ts';
import type { AlertFilter, AlertPaging } from './alert-filter.ts';
import { alertColumns, type AlertRow } from './alert-queries.ts';

/** Alerts that a search looks through at most, the newest of those that pass the other filters. */
const searchLimit = 20_000;

/**
 * Finds a part of a text, in any case, among the newest alerts that pass the other filters. Any text
 * is looked for at any place, which no index helps with; so there is an end to it, and it is told.
 */
export async function searchAlerts(
  kysely: Kysely<Tables>,
  filter: AlertFilter & { readonly search: string },
  paging: AlertPaging,
) {
  const { rows } = await sql<{ ids: number[]; total: number; searched: number }>`
    with looked as materialized (
      select id, created_at, severity, status,
        strpos(lower(concat_ws(E'\\n', title, description, rule_id, policy_name, source, target)), ${filter.search.toLowerCase()}) > 0 as hit
      from alerts where ${alertConditions(filter)}
      order by created_at desc, id desc limit ${searchLimit}
    )
    select count(*) as searched, count(*) filter (where hit) as total,
      array(select id from looked where hit order by ${listOrder(paging)} limit ${paging.limit} offset ${paging.offset})
        as ids
    from looked`.execute(kysely);
  const { ids, total, searched } = rows[0] ?? { ids: [], total: 0, searched: 0 };
  const found = await sql<AlertRow>`
    select ${alertColumns} from alerts where id = any(${ids}) order by ${listOrder(paging)}`.execute(kysely);
  return { rows: found.rows, total, searched };
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
