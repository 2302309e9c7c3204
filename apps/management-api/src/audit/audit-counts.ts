import { auditBlockSize, longestActor } from '@portcullis/platform/audit/count-blocks';
import type { Tables } from '@portcullis/platform/database/tables';
import { sql, type Kysely } from 'kysely';
import { auditConditions, counterConditions } from './audit-conditions.ts';
import type { AuditFilter } from './audit-filter.ts';
import type { AuditSpans } from './audit-spans.ts';

/** How many records of a block pass a filter. */
export interface BlockCount {
  readonly block: number;
  readonly count: number;
}

/** How many records of a kind pass a filter. */
export interface KindCount {
  readonly event_type: string;
  readonly severity: string;
  readonly count: number;
}

const blockOfRecord = sql<number>`((id - 1) / ${sql.lit(auditBlockSize)})::int`;

/** No counter tells these, but an index does. */
const needsRecords = ({ resourceId, sourceIp, requestId, actors = [] }: AuditFilter): boolean =>
  resourceId !== undefined ||
  sourceIp !== undefined ||
  requestId !== undefined ||
  actors.some(({ length }) => length > longestActor);

const spansToRead = (filter: AuditFilter, { whole, spans }: AuditSpans) => (needsRecords(filter) ? [whole] : spans);
const blocksToRead = (filter: AuditFilter, { blocks }: AuditSpans) => (needsRecords(filter) ? [] : blocks);

/** Counts what a filter lets pass, its search apart: full blocks by their counters where those can tell, all else by the records. */
export async function countByBlock(
  kysely: Kysely<Tables>,
  filter: AuditFilter,
  where: AuditSpans,
): Promise<readonly BlockCount[]> {
  const counts: BlockCount[] = await kysely
    .selectFrom('audit_block_counts')
    .select(({ fn }) => ['block', fn.sum<number>('count').as('count')])
    .where((counters) => counterConditions(counters, filter, blocksToRead(filter, where)))
    .groupBy('block')
    .execute();
  for (const span of spansToRead(filter, where)) {
    const counted = await kysely
      .selectFrom('audit_log')
      .select(({ fn }) => [blockOfRecord.as('block'), fn.countAll<number>().as('count')])
      .where((records) => auditConditions(records, filter, span))
      .groupBy(blockOfRecord)
      .execute();
    counts.push(...counted);
  }
  return counts;
}

export async function countByKind(
  kysely: Kysely<Tables>,
  filter: AuditFilter,
  where: AuditSpans,
): Promise<readonly KindCount[]> {
  const counts: KindCount[] = await kysely
    .selectFrom('audit_block_counts')
    .select(({ fn }) => ['event_type', 'severity', fn.sum<number>('count').as('count')])
    .where((counters) => counterConditions(counters, filter, blocksToRead(filter, where)))
    .groupBy(['event_type', 'severity'])
    .execute();
  for (const span of spansToRead(filter, where)) {
    const counted = await kysely
      .selectFrom('audit_log')
      .select(({ fn }) => ['event_type', 'severity', fn.countAll<number>().as('count')])
      .where((records) => auditConditions(records, filter, span))
      .groupBy(['event_type', 'severity'])
      .execute();
    counts.push(...counted);
  }
  return counts;
}
