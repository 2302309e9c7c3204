import type { Queryable } from '../database/database.ts';
import type { ChainPosition, SealKey } from './seal-key.ts';
import { verifyChain, type ChainProblem } from './verify-chain.ts';

export interface Sealing {
  /** Set when records were sealed. */
  readonly sealed?: ChainPosition;
  /** Set when they were not, because the chain is broken since the last seal. */
  readonly problem?: ChainProblem;
}

/**
 * Signs the end of the audit chain after checking what was appended since the last seal, so that
 * nothing that was rewritten meanwhile is ever signed. Any number of processes may do this.
 * @param known a position that this process sealed itself, which the database must still agree with
 */
export async function sealChain(database: Queryable, key: SealKey, known?: ChainPosition): Promise<Sealing> {
  const before = known ?? (await findNewestSeal(database, key));
  const { problem, last } = await verifyChain(database, key, before);
  if (problem !== null) return { problem };
  if (last.record_id === (before?.record_id ?? 0)) return {};
  await insertSeal(database, key, last);
  return { sealed: last };
}

export const insertSeal = async ({ kysely }: Queryable, key: SealKey, position: ChainPosition): Promise<void> => {
  await kysely
    .insertInto('audit_seals')
    .values({ ...position, seal: key.sign(position) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

/** Good or not; undefined where there is none. */
export const loadNewestSeal = ({ kysely }: Pick<Queryable, 'kysely'>) =>
  kysely
    .selectFrom('audit_seals')
    .select(['record_id', 'hash', 'seal'])
    .orderBy('record_id', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Undefined when there is none, or none that is good: then everything is checked. */
export async function findNewestSeal({ kysely }: Queryable, key: SealKey): Promise<ChainPosition | undefined> {
  const row = await loadNewestSeal({ kysely });
  return row !== undefined && key.isValid(row, row.seal) ? { record_id: row.record_id, hash: row.hash } : undefined;
}
