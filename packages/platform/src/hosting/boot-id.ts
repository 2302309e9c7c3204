import { sql, type Transaction } from 'kysely';
import { existsBatch } from '../database/exists-batch.ts';
import type { Database } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';

/** One process at a time decides, or two that start together would each found a boot. */
const lock = sql`select pg_advisory_xact_lock(7261006)`;

/** Instances that beat since then may be alive. */
const recently = sql<Date>`now() - interval '10 seconds'`;

/**
 * Finds the boot of the installation that this process belongs to: that of a process which gave a
 * sign of life since this one came, or that of one which took it in; with no other instance there, a new
 * one. Undefined while that is not sure: what a killed process left behind looks alive for ten seconds, and after an outage of the
 * database every instance looks dead for a moment, so rows of others are looked at twice.
 * @param again whether this process has looked before
 */
export const assignBootId = ({ kysely }: Database, instanceId: string, again: boolean): Promise<number | undefined> =>
  kysely.transaction().execute(async (transaction) => {
    await lock.execute(transaction);
    const given = await findGivenBoot(transaction, instanceId);
    if (given !== undefined) return given;
    const others = await listOthers(transaction, instanceId);
    const living = others.find(({ alive }) => alive)?.boot_id;
    const doubtful = others.some(({ fresh }) => fresh) || (others.length > 0 && !again);
    if (living === undefined && doubtful) return undefined;
    const bootId = living ?? (await createBoot(transaction));
    await transaction
      .updateTable('service_instances')
      .set({ boot_id: bootId })
      .where('instance_id', '=', instanceId)
      .execute();
    return bootId;
  });

const findGivenBoot = async (transaction: Transaction<Tables>, instanceId: string): Promise<number | undefined> => {
  const row = await transaction
    .selectFrom('service_instances')
    .select('boot_id')
    .where('instance_id', '=', instanceId)
    .where('boot_id', 'is not', null)
    .executeTakeFirst();
  return row?.boot_id ?? undefined;
};

/**
 * Takes those in who have not learned their boot yet. The process that runs this lives and knows its boot, so the
 * others, who must doubt that, belong to the same one; were they left in doubt until this process has
 * ended, the next to come would find no instance that remembers and found a boot of its own.
 */
export const assignMissingBootIds = async ({ kysely }: Database): Promise<void> => {
  await kysely
    .updateTable('service_instances')
    .set((row) => ({
      boot_id: row
        .selectFrom('service_instances')
        .select(({ fn }) => fn.max<number | null>('boot_id').as('latest'))
        .where('heartbeat_at', '>', recently),
    }))
    .where('boot_id', 'is', null)
    .execute();
};

/** Whether there is anybody to {@link assignMissingBootIds}. */
export const hasMissingBootIds = existsBatch((kysely) =>
  kysely.selectFrom('service_instances').select('service').where('boot_id', 'is', null),
);

/** The processes that know their boot, the latest boot first. */
const listOthers = (transaction: Transaction<Tables>, instanceId: string) =>
  transaction
    .selectFrom('service_instances')
    .select([
      'boot_id',
      sql<boolean>`heartbeat_at > ${recently}`.as('fresh'),
      sql<boolean>`heartbeat_at > (select min(started_at) from service_instances where instance_id = ${instanceId})`.as(
        'alive',
      ),
    ])
    .where('instance_id', '<>', instanceId)
    .where('boot_id', 'is not', null)
    .orderBy('boot_id', 'desc')
    .$narrowType<{ boot_id: number }>()
    .execute();

async function createBoot(transaction: Transaction<Tables>): Promise<number> {
  await transaction.deleteFrom('boots').execute();
  const { id } = await transaction.insertInto('boots').defaultValues().returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Forgets every process that ever was; for one that has the database to itself, before its services start. */
export async function deleteProcesses({ kysely }: Database): Promise<void> {
  await kysely.deleteFrom('service_instances').execute();
  await kysely.deleteFrom('proxy_states').execute();
}
