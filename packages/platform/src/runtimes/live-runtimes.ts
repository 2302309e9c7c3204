import type { Tables } from '../database/tables.ts';
import { sql, type Kysely } from 'kysely';

/** The runtime processes that gave a sign of life lately. What others reported counts for nothing. */
export const liveRuntimes = (kysely: Kysely<Tables>) =>
  kysely
    .selectFrom('service_instances')
    .select('instance_id')
    .where('service', '=', 'proxy-runtime')
    .where('heartbeat_at', '>', sql<Date>`now() - interval '10 seconds'`);
