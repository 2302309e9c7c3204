import { sql } from 'kysely';
import type { Queryable } from '../database/database.ts';
import { forgetAuditBlocks } from './count-blocks.ts';
import { recordAudit } from './record-audit.ts';
import { insertSeal } from './seal-chain.ts';
import type { SealKey } from './seal-key.ts';

const batchSize = 5_000;

/**
 * Drops the oldest records, up to the first that is younger than `before`, and answers how many. Where
 * the chain begins from then on is sealed, and that records were dropped is a record itself.
 */
export async function expireAudit({ kysely }: Queryable, key: SealKey, before: Date): Promise<number> {
  let dropped = 0;
  for (let batch = batchSize; batch === batchSize; dropped += batch) {
    batch = await kysely.transaction().execute((transaction) => dropBatch({ kysely: transaction }, key, before));
  }
  return dropped;
}

async function dropBatch({ kysely }: Queryable, key: SealKey, before: Date): Promise<number> {
  const chain = await kysely.selectFrom('audit_chain').selectAll().forUpdate().executeTakeFirstOrThrow();
  const last = await kysely
    .selectFrom('audit_log')
    .select(['id', 'hash'])
    .where('id', '<=', chain.anchor_id + batchSize)
    .where('id', '<', ({ fn, val, selectFrom }) =>
      fn.coalesce(
        selectFrom('audit_log').select('id').where('timestamp', '>=', before).orderBy('id').limit(1),
        val(chain.last_id + 1),
      ),
    )
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (last === undefined) return 0;

  await sql`select set_config('portcullis.audit_retention', 'on', true)`.execute(kysely);
  await kysely.deleteFrom('audit_log').where('id', '<=', last.id).execute();
  await kysely.updateTable('audit_chain').set({ anchor_id: last.id, anchor_hash: last.hash }).execute();
  await forgetAuditBlocks({ kysely }, last.id);
  await kysely.deleteFrom('audit_seals').where('record_id', '<', last.id).execute();
  await insertSeal({ kysely }, key, { record_id: last.id, hash: last.hash });
  const count = last.id - chain.anchor_id;
  await recordAudit(kysely, {
    event_type: 'audit.expired',
    actor: { type: 'system', id: null, name: null },
    resource: { type: 'audit_log', id: null, name: null },
    details: { records: count, first_id: chain.anchor_id + 1, last_id: last.id, last_hash: last.hash },
  });
  return count;
}
