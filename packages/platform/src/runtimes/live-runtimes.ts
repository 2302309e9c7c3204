import type { Tables } from '../database/tables.ts';
import { sql, type Kysely } from 'kysely';

/** The services that serve by a snapshot of the configuration. */
export const dataPlanes = ['proxy-runtime', 'a2a-hub'] as const;
export type DataPlane = (typeof dataPlanes)[number];

/** The processes of all data planes that gave a sign of life lately. What others reported counts for nothing. */
export const liveDataPlanes = (kysely: Kysely<Tables>) =>
  kysely
    .selectFrom('service_instances')
    .select(['service_instances.instance_id', 'service_instances.service'])
    .where('service_instances.service', 'in', dataPlanes)
    .where('service_instances.heartbeat_at', '>', sql<Date>`now() - interval '10 seconds'`);

/** Of them the proxy runtimes. */
export const liveRuntimes = (kysely: Kysely<Tables>) =>
  liveDataPlanes(kysely)
    .where('service_instances.service', '=', 'proxy-runtime')
    .clearSelect()
    .select('service_instances.instance_id');
