import type { SystemInfo } from '@portcullis/contracts/routes/metrics';
import type { Database } from '@portcullis/platform/database/database';
import type { ServiceHealth } from '@portcullis/platform/service/service';
import { sql } from 'kysely';
import { liveRuntimes } from '@portcullis/platform/runtimes/live-runtimes';

/** Every service of every process that has not been forgotten, the silent ones included. */
export async function loadInstances({ kysely }: Database): Promise<SystemInfo['instances']> {
  const rows = await kysely
    .selectFrom('service_instances')
    .select([
      'instance_id',
      'service',
      'host',
      'pid',
      'version',
      'started_at',
      'heartbeat_at',
      sql<ServiceHealth>`health`.as('health'),
      sql<boolean>`heartbeat_at > now() - interval '10 seconds'`.as('alive'),
    ])
    .orderBy('service')
    .orderBy('started_at')
    .limit(1_000)
    .execute();
  return rows.map(({ health, started_at: startedAt, heartbeat_at: heartbeatAt, ...row }) => ({
    ...row,
    status: health.status,
    problems: [...health.problems],
    started_at: startedAt.toISOString(),
    heartbeat_at: heartbeatAt.toISOString(),
  }));
}

const countOf = (table: string) => sql<number>`(select count(*) from ${sql.table(table)})`;

export async function loadCounts({ kysely }: Database): Promise<SystemInfo['counts']> {
  const running = kysely
    .selectFrom('proxy_states')
    .select(({ fn }) => fn.count<number>('proxy_id').distinct().as('count'))
    .where('state', '=', 'running')
    .where('instance_id', 'in', liveRuntimes(kysely));
  const { rows } = await sql<SystemInfo['counts']>`
    select ${countOf('proxies')} as proxies, (${running}) as proxies_running, ${countOf('user_groups')} as user_groups,
      ${countOf('api_keys')} as api_keys, ${countOf('policies')} as policies, ${countOf('users')} as users
  `.execute(kysely);
  return rows[0] ?? { proxies: 0, proxies_running: 0, user_groups: 0, api_keys: 0, policies: 0, users: 0 };
}
