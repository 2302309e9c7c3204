import { hostname } from 'node:os';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import type { Logger } from '../log/logger.ts';
import { checkHealth } from './health-port.ts';
import { hasMissingBootIds, assignBootId, assignMissingBootIds } from './boot-id.ts';
import { problemText } from '../errors/problem.ts';
import { runEvery } from '../event-loop/run-every.ts';
import type { Service } from '../service/service.ts';
import { saveMounts } from './service-mounts.ts';
import { version } from '../process/version.ts';

interface HeartbeatOptions {
  readonly database: Database;
  readonly log: Logger;
  readonly instanceId: string;
  readonly services: readonly Service[];
  /** Where other processes reach the port of this one; undefined for one without. */
  readonly address?: string | undefined;
  readonly intervalMs?: number;
}

/** Rows of the dead are looked for with every so many beats. */
const beatsBetweenBurials = 15;

/** How long a row without a heartbeat is kept before any process may remove it. */
const forgetAfter = sql<Date>`now() - interval '1 minute'`;

/**
 * Tells the other processes through `service_instances` that these services live and how they are.
 * Resolves after the first beat. Disposing takes the rows away, so that no caller waits for a service
 * that has left. A database that is away costs beats, never the process. Within the first beats each
 * process learns to which boot of the installation it belongs (`boot_id`).
 */
export async function startHeartbeats(options: HeartbeatOptions): Promise<AsyncDisposable> {
  const { database, log, instanceId, services, intervalMs = 2_000 } = options;
  let failing = false;
  let bootId: number | undefined;
  let looked = false;
  let count = 0;

  const beat = async () => {
    try {
      const [someMissing] = await Promise.all([hasMissingBootIds(database), saveBeat(options, bootId)]);
      bootId ??= await assignBootId(database, instanceId, looked);
      looked = true;
      if (someMissing && bootId !== undefined) await assignMissingBootIds(database);
      if (count % beatsBetweenBurials === 0) {
        await forgetDead(database);
        await saveMounts(database, services);
      }
      count += 1;
      failing = false;
    } catch (error) {
      if (!failing) log.warn('The database does not take heartbeats', { problem: problemText(error) });
      failing = true;
    }
  };

  await beat();
  const beats = runEvery(beat, { intervalMs, onFault: () => {}, later: true });

  return {
    async [Symbol.asyncDispose]() {
      await beats[Symbol.asyncDispose]();
      await signOff(database, instanceId, bootId).catch((error: unknown) =>
        log.warn('Could not sign off', { problem: problemText(error) }),
      );
    },
  };
}

const forgetDead = ({ kysely }: Database) =>
  kysely.deleteFrom('service_instances').where('heartbeat_at', '<', forgetAfter).execute();

/** Who came since the last beat must not be left without anybody who knows the boot. */
async function signOff(database: Database, instanceId: string, bootId: number | undefined): Promise<void> {
  if (bootId !== undefined) await assignMissingBootIds(database);
  await database.kysely.deleteFrom('service_instances').where('instance_id', '=', instanceId).execute();
}

async function saveBeat(
  { database, instanceId, services, address }: HeartbeatOptions,
  bootId: number | undefined,
): Promise<void> {
  const rows = services.map((service) => ({
    instance_id: instanceId,
    service: service.name,
    host: hostname(),
    pid: process.pid,
    version,
    health: checkHealth(service),
    address: service.mounts === undefined ? null : (address ?? null),
    // A row that was forgotten during an outage comes back with what it knew.
    boot_id: bootId ?? null,
  }));
  await save(database.kysely, JSON.stringify(rows));
}

const save = prepare(
  'save_heartbeats',
  () => sql`
    insert into service_instances (instance_id, service, host, pid, version, health, address, boot_id)
    select * from json_to_recordset(${undefined}::json) as beat (
      instance_id uuid, service text, host text, pid integer, version text, health jsonb, address text, boot_id bigint)
    on conflict (instance_id, service) do update set health = excluded.health, heartbeat_at = now()`,
);
