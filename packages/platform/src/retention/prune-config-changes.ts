import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** What is younger stays, for people who look. */
const keptFor = sql`interval '1 day'`;
/** Few enough that no change of the configuration waits long. */
const defaultBatchSize = 5_000;

/** One process at a time; the others have nothing left to do. */
const lock = sql<{ turn: boolean }>`select pg_try_advisory_xact_lock(7261007) as turn`;

/**
 * Removes old configuration changes, in batches, and answers how many. The latest change of each
 * kind stays for ever, and of the settings that of each section: then no reader misses that something
 * changed, however old the revision they know. Up to where single changes are missing is written down.
 */
export async function pruneConfigChanges({ kysely }: Database, batchSize = defaultBatchSize): Promise<number> {
  let removed = 0;
  for (let count = batchSize; count === batchSize; removed += count) {
    count = await kysely.transaction().execute(async (transaction) => {
      const { rows } = await lock.execute(transaction);
      if (rows[0]?.turn !== true) return 0;
      const { rows: counted } = await sql<{ count: number }>`
        with latest as (
          select max(revision) as revision from config_changes
          group by kind, case when kind = 'settings' then id end),
        old as (
          delete from config_changes where revision = any(array(
            select revision from config_changes
            where changed_at < now() - ${keptFor} and revision not in (select revision from latest)
            order by revision limit ${batchSize}))
          returning revision),
        noted as (
          update config_changes_removed
          set revision = greatest(revision, (select max(revision) from old))
          where exists (select from old))
        select count(*)::integer as count from old`.execute(transaction);
      return counted[0]?.count ?? 0;
    });
  }
  return removed;
}
