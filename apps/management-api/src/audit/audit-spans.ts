import { auditBlockSize } from '@portcullis/platform/audit/count-blocks';
import type { Tables } from '@portcullis/platform/database/tables';
import type { Kysely } from 'kysely';
import type { IdSpan } from './audit-conditions.ts';
import type { AuditFilter } from './audit-filter.ts';

/** Where a filter's records can be. */
export interface AuditSpans {
  /** Around all of it. */
  readonly whole: IdSpan;
  /** Blocks that lie in the filter's times whole, for their counters. */
  readonly blocks: readonly number[];
  /** What is left: records that must be looked at. */
  readonly spans: readonly IdSpan[];
}

interface Block {
  readonly block: number;
  readonly first_at: Date;
  readonly last_at: Date;
}

export const blockSpan = (block: number): IdSpan => ({
  after: block * auditBlockSize,
  upTo: (block + 1) * auditBlockSize,
});

/** Finds the records that a filter's times and `beforeId` leave, by the counted blocks. */
export async function findSpans(kysely: Kysely<Tables>, filter: AuditFilter): Promise<AuditSpans> {
  const chain = await kysely.selectFrom('audit_chain').select(['last_id', 'anchor_id']).executeTakeFirstOrThrow();
  const log = { after: chain.anchor_id, upTo: Math.min(chain.last_id, (filter.beforeId ?? Infinity) - 1) };
  const known = await kysely
    .selectFrom('audit_blocks')
    .selectAll()
    .where('block', '>=', Math.ceil(log.after / auditBlockSize))
    .where('block', '<', Math.floor(log.upTo / auditBlockSize))
    .orderBy('block')
    .execute();
  return cutIntoSpans(log, known, filter);
}

/** Times are not in the order of the records, but a block knows its first and its last. */
function cutIntoSpans(
  log: IdSpan,
  known: readonly Block[],
  { from, to }: Pick<AuditFilter, 'from' | 'to'>,
): AuditSpans {
  const blocks: number[] = [];
  const spans: IdSpan[] = [];
  const look = (span: IdSpan): void => {
    if (span.after >= span.upTo) return;
    const last = spans.at(-1);
    if (last?.upTo === span.after) spans.splice(-1, 1, { after: last.after, upTo: span.upTo });
    else spans.push(span);
  };
  let place = log.after;
  for (const { block, first_at: first, last_at: last } of known) {
    const span = blockSpan(block);
    look({ after: place, upTo: span.after });
    place = span.upTo;
    const isOutside = (from !== undefined && last < from) || (to !== undefined && first >= to);
    const isInside = (from === undefined || first >= from) && (to === undefined || last < to);
    if (isInside) blocks.push(block);
    else if (!isOutside) look(span);
  }
  look({ after: place, upTo: log.upTo });
  const parts = [...spans, ...blocks.map(blockSpan)];
  const after = Math.min(...parts.map((part) => part.after));
  return {
    whole: parts.length === 0 ? { after: 0, upTo: 0 } : { after, upTo: Math.max(...parts.map((part) => part.upTo)) },
    blocks,
    spans,
  };
}
