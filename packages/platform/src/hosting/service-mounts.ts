import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import { foldPrefix } from './mount-table.ts';
import type { Service } from '../service/service.ts';

/** A place of a service that runs elsewhere. */
export interface ServiceMount {
  readonly prefix: string;
  readonly service: string;
  /** URLs of the processes of the service that gave a sign of life lately. */
  readonly addresses: readonly string[];
}

/** Names the places of the services of this process, and forgets those that no process has named for a week. */
export async function saveMounts({ kysely }: Database, services: readonly Service[]): Promise<void> {
  const rows = services.flatMap(({ name, mounts = [] }) =>
    mounts.map(({ prefix }) => ({ prefix: foldPrefix(prefix), service: name })),
  );
  await kysely
    .deleteFrom('service_mounts')
    .where('named_at', '<', sql<Date>`now() - interval '7 days'`)
    .execute();
  if (rows.length === 0) return;
  await kysely
    .insertInto('service_mounts')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('prefix').doUpdateSet(({ ref }) => ({ service: ref('excluded.service'), named_at: sql`now()` })),
    )
    .execute();
}

/** The places of all services but those named, the names as a JSON array. */
export const listMounts = prepare<ServiceMount>(
  'list_service_mounts',
  () => sql`
    select prefix, service, array(
      select address from service_instances as instance
      where instance.service = mount.service and address is not null and heartbeat_at > now() - interval '10 seconds'
      order by instance_id) as addresses
    from service_mounts as mount
    where not (${undefined}::jsonb ? service)
    order by prefix`,
);
