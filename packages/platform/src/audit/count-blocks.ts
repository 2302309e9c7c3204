import { sql } from 'kysely';
import type { Queryable } from '../database/database.ts';

/** Records of one block, see the table `audit_blocks`. */
export const auditBlockSize = 5_000;

/** Longer names are counted with no block. */
export const longestActor = 200;

/**
 * Counts the full blocks that are not counted yet, so that lists need not: records never change, so
 * this is done once. Any number of processes may do it. Answers how many blocks there were.
 */
export async function countAuditBlocks({ kysely }: Pick<Queryable, 'kysely'>): Promise<number> {
  const { rows } = await sql<{ block: number }>`
    select block::int from audit_chain, generate_series(
      (anchor_id + ${auditBlockSize} - 1) / ${auditBlockSize}, last_id / ${auditBlockSize} - 1) as block
    where block not in (select block from audit_blocks)`.execute(kysely);
  for (const { block } of rows) {
    await kysely.transaction().execute((transaction) => countBlock({ kysely: transaction }, block));
  }
  return rows.length;
}

/** The process that inserts the block first counts it. */
async function countBlock({ kysely }: Queryable, block: number): Promise<void> {
  const inBlock = sql`id > ${block * auditBlockSize} and id <= ${(block + 1) * auditBlockSize}`;
  const { rows } = await sql`
    insert into audit_blocks (block, first_at, last_at)
    select ${block}, min(timestamp), max(timestamp) from audit_log where ${inBlock} having count(*) = ${auditBlockSize}
    on conflict do nothing returning block`.execute(kysely);
  if (rows.length === 0) return;
  await sql`
    insert into audit_block_counts (actor, block, event_type, severity, result, resource_type, count)
    select coalesce(actor_name, ''), ${block}, event_type, severity, result, coalesce(resource_type, ''), count(*)
    from audit_log where ${inBlock}
    group by grouping sets ((event_type, severity, result, resource_type), (actor_name, event_type, severity, result, resource_type))
    having grouping(actor_name) = 1 or length(actor_name) between 1 and ${longestActor}`.execute(kysely);
}

/** Forgets the blocks that begin before a record which has expired. */
export async function forgetAuditBlocks({ kysely }: Queryable, expiredId: number): Promise<void> {
  const last = Math.ceil(expiredId / auditBlockSize) - 1;
  await kysely.deleteFrom('audit_block_counts').where('block', '<=', last).execute();
  await kysely.deleteFrom('audit_blocks').where('block', '<=', last).execute();
}
