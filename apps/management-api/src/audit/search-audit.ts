import type { AuditStats } from '@portcullis/contracts/routes/audit';
import type { Tables } from '@portcullis/platform/database/tables';
import { sql, type Kysely } from 'kysely';
import { containsText } from '../search/contains-text.ts';
import { auditConditions, type IdSpan } from './audit-conditions.ts';
import type { AuditFilter } from './audit-filter.ts';

/** Records that a search looks through, the newest of those that pass the other filters. */
const searchLimit = 20_000;
/** With a filter that leaves records which lie far apart on the disk: each of them costs ten times as much. */
const scatteredLimit = 2_000;

const limitOf = ({ from: _from, to: _to, beforeId: _before, search: _search, ...fields }: AuditFilter): number =>
  Object.values(fields).every((field) => field === undefined) ? searchLimit : scatteredLimit;

/**
 * Finds a part of a text, in any case, among the newest records that pass the other filters: the ids
 * of one page, and what was found, counted. Any text is looked for at any place, so there is an end
 * to it, and it is told: `searched_from_id` is where to go on.
 */
export async function searchAudit(
  kysely: Kysely<Tables>,
  filter: AuditFilter & { readonly search: string },
  span: IdSpan,
  page: { readonly limit: number; readonly offset: number },
) {
  const most = limitOf(filter);
  const newest = kysely
    .selectFrom('audit_log')
    .where((where) => auditConditions(where, filter, span))
    .orderBy('id', 'desc')
    .limit(most);
  const read = ['id', 'event_type', 'severity', containsText(filter.search).as('hit')] as const;
  // Under several conditions the ids come first, from an index that carries the columns along.
  const looked =
    most === searchLimit
      ? newest.select(read)
      : kysely
          .selectFrom('audit_log')
          .select(read)
          .where('id', '=', sql<number>`any(array(${newest.select('id')}))`);
  const { rows } = await sql<AuditStats & { ids: number[]; searched: number; oldest: number | null }>`
    with looked as materialized (${looked})
    select count(*) as searched, min(id) as oldest,
      count(*) filter (where hit) as total,
      count(*) filter (where hit and severity = 'critical') as critical,
      count(*) filter (where hit and severity = 'warning') as warning,
      count(*) filter (where hit and event_type = 'auth.login.failed') as failed_logins,
      count(*) filter (where hit and event_type = 'security.access.denied') as access_denied,
      array(select id from looked where hit order by id desc limit ${page.limit} offset ${page.offset}) as ids
    from looked`.execute(kysely);
  const [found] = rows;
  if (found === undefined) throw new Error('An aggregate has a row');
  const { ids, oldest, ...stats } = found;
  return { ids, stats: { ...stats, searched_from_id: stats.searched < most ? null : oldest } };
}
