import type { AuditRecord } from '@portcullis/contracts/audit-events';
import type { AuditLog, AuditPage, AuditStats } from '@portcullis/contracts/routes/audit';
import type { Database } from '@portcullis/platform/database/database';
import type { Tables } from '@portcullis/platform/database/tables';
import { sql, type Kysely, type Transaction } from 'kysely';
import { containsText } from '../search/contains-text.ts';
import { auditConditions, type IdSpan } from './audit-conditions.ts';
import { countByBlock, countByKind, type KindCount } from './audit-counts.ts';
import type { AuditFilter } from './audit-filter.ts';
import { findSpans, type AuditSpans } from './audit-spans.ts';
import { findPart } from './find-part.ts';
import { searchAudit } from './search-audit.ts';

/** Columns hold what `recordAudit` and the spool wrote. */
type AuditRow = Omit<AuditRecord, 'kind' | 'timestamp'> & {
  readonly id: number;
  readonly timestamp: Date;
  readonly hash: string;
};

const matching = (kysely: Kysely<Tables>, filter: AuditFilter, span: IdSpan) =>
  kysely.selectFrom('audit_log').where((where) => auditConditions(where, filter, span));

interface Range {
  readonly limit: number;
  readonly offset: number;
}

/** One page of a list and how long the list is, both as of one moment. */
export async function loadAuditPage(database: Database, filter: AuditFilter, range: Range): Promise<AuditPage> {
  const { rows, ...counts } = await readAtOneMoment(database, async (transaction) => {
    if (isUnfiltered(filter)) return loadByIds(transaction, range);
    const spans = await findSpans(transaction, filter);
    return filter.search === undefined
      ? loadByBlocks(transaction, filter, spans, range)
      : searchPage(transaction, { ...filter, search: filter.search }, spans.whole, range);
  });
  return { logs: rows.map(renderAuditLog), ...counts, ...range };
}

const readAtOneMoment = <Answer>(database: Database, read: (transaction: Transaction<Tables>) => Promise<Answer>) =>
  database.kysely.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);

const isUnfiltered = (filter: AuditFilter): boolean => Object.values(filter).every((value) => value === undefined);

/** Without a filter neither counting nor skipping reads any records: their ids have no gaps. */
async function loadByIds(kysely: Kysely<Tables>, { limit, offset }: Range) {
  const chain = await kysely.selectFrom('audit_chain').select(['last_id', 'anchor_id']).executeTakeFirstOrThrow();
  const rows = await kysely
    .selectFrom('audit_log')
    .selectAll()
    .where('id', '<=', chain.last_id - offset)
    .orderBy('id', 'desc')
    .limit(limit)
    .$castTo<AuditRow>()
    .execute();
  return { rows, total: chain.last_id - chain.anchor_id };
}

/** Finds the blocks that the page lies in, from the counts of all; at most one block's records are skipped then. */
async function loadByBlocks(kysely: Kysely<Tables>, filter: AuditFilter, spans: AuditSpans, range: Range) {
  const counts = await countByBlock(kysely, filter, spans);
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const part = findPart(counts, range);
  if (part === undefined) return { rows: [], total };
  const { after, upTo, offset } = part;
  const rows = await matching(kysely, filter, {
    after: Math.max(after, spans.whole.after),
    upTo: Math.min(upTo, spans.whole.upTo),
  })
    .selectAll()
    .orderBy('id', 'desc')
    .limit(range.limit)
    .offset(offset)
    .$castTo<AuditRow>()
    .execute();
  return { rows, total };
}

async function searchPage(
  kysely: Kysely<Tables>,
  filter: AuditFilter & { readonly search: string },
  span: IdSpan,
  range: Range,
) {
  const { ids, stats } = await searchAudit(kysely, filter, span, range);
  const rows = await kysely
    .selectFrom('audit_log')
    .selectAll()
    .where('id', '=', sql<number>`any(${ids})`)
    .orderBy('id', 'desc')
    .$castTo<AuditRow>()
    .execute();
  const { total, searched, searched_from_id: from } = stats;
  return { rows, total, searched, searched_from_id: from };
}

/** The matching records before a place in the chain, newest first. */
export const loadAuditBefore = async (
  { kysely }: Database,
  filter: AuditFilter,
  before: number,
  limit: number,
): Promise<AuditLog[]> =>
  (
    await matching(kysely, filter, { after: 0, upTo: Math.min(before, filter.beforeId ?? before) - 1 })
      .$if(filter.search !== undefined, (query) => query.where(containsText(filter.search ?? '')))
      .selectAll()
      .orderBy('id', 'desc')
      .limit(limit)
      .$castTo<AuditRow>()
      .execute()
  ).map(renderAuditLog);

export async function findAuditLog({ kysely }: Database, id: number): Promise<AuditLog | undefined> {
  const row = await kysely
    .selectFrom('audit_log')
    .selectAll()
    .where('id', '=', id)
    .$castTo<AuditRow>()
    .executeTakeFirst();
  return row && renderAuditLog(row);
}

const noRecords = { limit: 0, offset: 0 };

export const loadAuditStats = (database: Database, filter: AuditFilter): Promise<AuditStats> =>
  readAtOneMoment(database, async (transaction) => {
    const spans = await findSpans(transaction, filter);
    const { search } = filter;
    if (search === undefined) return sumUp(await countByKind(transaction, filter, spans));
    return (await searchAudit(transaction, { ...filter, search }, spans.whole, noRecords)).stats;
  });

function sumUp(kinds: readonly KindCount[]) {
  const sum = (matches: (kind: KindCount) => boolean) =>
    kinds.filter(matches).reduce((total, { count }) => total + count, 0);
  return {
    total: sum(() => true),
    critical: sum(({ severity }) => severity === 'critical'),
    warning: sum(({ severity }) => severity === 'warning'),
    failed_logins: sum(({ event_type: type }) => type === 'auth.login.failed'),
    access_denied: sum(({ event_type: type }) => type === 'security.access.denied'),
  };
}

const renderAuditLog = (row: AuditRow): AuditLog => ({
  id: row.id,
  event_type: row.event_type,
  timestamp: row.timestamp.toISOString(),
  severity: row.severity,
  actor: {
    user_id: row.actor_id,
    username: row.actor_name,
    email: row.actor_email,
    role: row.actor_role,
    type: row.actor_type,
  },
  resource:
    row.resource_type === null ? null : { type: row.resource_type, id: row.resource_id, name: row.resource_name },
  action: row.action,
  result: row.result,
  details: row.details,
  changes: row.changes,
  metadata: { request_id: row.request_id, event_id: row.event_id, hash: row.hash },
  source_ip: row.source_ip,
  user_agent: row.user_agent,
  error_message: row.error_message,
});
