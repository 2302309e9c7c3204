import { sql, type Transaction } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';

/** One process at a time decides, or two that start together would each found a boot. */
const lock = sql`select pg_advisory_xact_lock(7261006)`;

/**
 * Finds the boot of the installation that this process belongs to: that of a process which gave a
 * sign of life since this one came; with nobody else there, a new one. Undefined while that is not
 * sure: what a killed process left behind looks alive for ten seconds, and after an outage of the
 * database everybody looks dead for a moment, so rows of others are looked at twice.
 * @param again whether this process has looked before
 */
export const joinBoot = ({ kysely }: Database, instanceId: string, again: boolean): Promise<number | undefined> =>
  kysely.transaction().execute(async (transaction) => {
    await lock.execute(transaction);
    const others = await listOthers(transaction, instanceId);
    const living = others.find(({ alive }) => alive)?.boot_id;
    const doubtful = others.some(({ fresh }) => fresh) || (others.length > 0 && !again);
    if (living === undefined && doubtful) return undefined;
    const bootId = living ?? (await foundBoot(transaction));
    await transaction
      .updateTable('service_instances')
      .set({ boot_id: bootId })
      .where('instance_id', '=', instanceId)
      .execute();
    return bootId;
  });

/** The processes that know their boot, the latest boot first. */
const listOthers = (transaction: Transaction<Tables>, instanceId: string) =>
  transaction
    .selectFrom('service_instances')
    .select([
      'boot_id',
      sql<boolean>`heartbeat_at > now() - interval '10 seconds'`.as('fresh'),
      sql<boolean>`heartbeat_at > (select min(started_at) from service_instances where instance_id = ${instanceId})`.as(
        'alive',
      ),
    ])
    .where('instance_id', '<>', instanceId)
    .where('boot_id', 'is not', null)
    .orderBy('boot_id', 'desc')
    .$narrowType<{ boot_id: number }>()
    .execute();

async function foundBoot(transaction: Transaction<Tables>): Promise<number> {
  await transaction.deleteFrom('boots').execute();
  const { id } = await transaction.insertInto('boots').defaultValues().returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Forgets every process that ever was; for one that has the database to itself, before its services start. */
export async function forgetProcesses({ kysely }: Database): Promise<void> {
  await kysely.deleteFrom('service_instances').execute();
  await kysely.deleteFrom('proxy_states').execute();
}
