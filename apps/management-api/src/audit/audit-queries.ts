import type { AuditLog, AuditPage, AuditStats } from '@portcullis/contracts/routes/audit';
import type { Database } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import type { Tables } from '@portcullis/platform/database/tables';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { containsText } from '../search/contains-text.ts';
import { auditConditions, type IdSpan } from './audit-conditions.ts';
import { countByBlock, countByKind, type KindCount } from './audit-counts.ts';
import type { AuditFilter } from './audit-filter.ts';
import { renderAuditLog, type AuditRow } from './audit-row.ts';
import { findSpans, type AuditSpans } from './audit-spans.ts';
import { findPageBlocks } from './find-page-blocks.ts';
import { searchAudit } from './search-audit.ts';

const matching = (kysely: Kysely<Tables>, filter: AuditFilter, span: IdSpan) =>
  kysely.selectFrom('audit_log').where((where) => auditConditions(where, filter, span));

interface Range {
  readonly limit: number;
  readonly offset: number;
}

/** One page of a list and how long the list is, both as of one moment. */
export async function loadAuditPage(database: Database, filter: AuditFilter, range: Range): Promise<AuditPage> {
  const { rows, ...counts } = await readConsistent(database, async ({ kysely }) => {
    if (isUnfiltered(filter)) return loadByIds(kysely, range);
    const spans = await findSpans(kysely, filter);
    return filter.search === undefined
      ? loadByBlocks(kysely, filter, spans, range)
      : searchPage(kysely, { ...filter, search: filter.search }, spans.whole, range);
  });
  return { logs: rows.map(renderAuditLog), ...counts, ...range };
}

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
  const part = findPageBlocks(counts, range);
  if (part === undefined) return { rows: [], total };
  const span = { after: Math.max(part.after, spans.whole.after), upTo: Math.min(part.upTo, spans.whole.upTo) };
  const rows = await readFound(kysely, newest(kysely, filter, span, { limit: range.limit, offset: part.offset }));
  return { rows, total };
}

/** The ids of what a filter lets pass: an index finds them without the records, of which it may let few pass. */
const newest = (kysely: Kysely<Tables>, filter: AuditFilter, span: IdSpan, { limit, offset }: Range) =>
  sql<
    number[]
  >`array(${matching(kysely, filter, span).select('id').orderBy('id', 'desc').limit(limit).offset(offset)})`;

const found = (kysely: Kysely<Tables>, ids: RawBuilder<number[]>) =>
  kysely
    .selectFrom('audit_log')
    .where('id', '=', sql<number>`any(${ids})`)
    .orderBy('id', 'desc');

const readFound = (kysely: Kysely<Tables>, ids: RawBuilder<number[]>): Promise<AuditRow[]> =>
  found(kysely, ids).selectAll().$castTo<AuditRow>().execute();

async function searchPage(
  kysely: Kysely<Tables>,
  filter: AuditFilter & { readonly search: string },
  span: IdSpan,
  range: Range,
) {
  const { ids, stats } = await searchAudit(kysely, filter, span, range);
  const rows = await readFound(kysely, sql<number[]>`${ids}`);
  const { total, searched, searched_from_id: from } = stats;
  return { rows, total, searched, searched_from_id: from };
}

/** A stretch of an export. */
export interface AuditBatch {
  readonly logs: readonly AuditLog[];
  /** Where to go on; undefined at the end. */
  readonly before: number | undefined;
}

/** So many records before a place in the chain that pass the filter, newest first, and those of them that the search finds. */
export async function loadAuditBefore(
  { kysely }: Database,
  filter: AuditFilter,
  before: number,
  limit: number,
): Promise<AuditBatch> {
  const span = { after: 0, upTo: Math.min(before, filter.beforeId ?? before) - 1 };
  const rows = await found(kysely, newest(kysely, filter, span, { limit, offset: 0 }))
    .selectAll()
    .select((filter.search === undefined ? sql<boolean>`true` : containsText(filter.search)).as('hit'))
    .$castTo<AuditRow & { readonly hit: boolean }>()
    .execute();
  const logs = rows.filter(({ hit }) => hit).map(renderAuditLog);
  return { logs, before: rows.length < limit ? undefined : rows.at(-1)?.id };
}

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
  readConsistent(database, async ({ kysely }) => {
    const spans = await findSpans(kysely, filter);
    const { search } = filter;
    if (search === undefined) return sumUp(await countByKind(kysely, filter, spans));
    return (await searchAudit(kysely, { ...filter, search }, spans.whole, noRecords)).stats;
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
