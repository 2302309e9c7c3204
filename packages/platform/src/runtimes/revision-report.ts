import { sql } from 'kysely';
import type { Database, Queryable } from '../database/database.ts';
import type { DataPlane } from './live-runtimes.ts';

/** Who reports: a data plane of a process. */
export interface Reporter {
  readonly instanceId: string;
  readonly service: DataPlane;
}

export interface RevisionReport {
  /** Of the configuration that is in force. */
  readonly revision: number;
  /** Proxies whose newest configuration is not in force yet; {@link allAgents} stands for the policies of all agents. */
  readonly behind: ReadonlySet<number>;
}

/** No proxy has this id. */
export const allAgents = 0;

/** Tells those who wait for a change what a data plane has in force. */
export async function saveRevision(
  { kysely }: Database,
  { instanceId, service }: Reporter,
  { revision, behind }: RevisionReport,
): Promise<void> {
  await sql`
    with reported as (
      insert into runtime_revisions (instance_id, service, revision, behind)
      values (${instanceId}, ${service}, ${revision}, ${[...behind]}::integer[])
      on conflict (instance_id, service) do update
        set revision = excluded.revision, behind = excluded.behind, updated_at = now())
    select pg_notify('proxy_states', ${String(revision)})`.execute(kysely);
}

/** Whether what was reported is there: it is deleted while the others take a process for dead. */
export async function hasRevision({ kysely }: Queryable, { instanceId, service }: Reporter): Promise<boolean> {
  const row = await kysely
    .selectFrom('runtime_revisions')
    .select('revision')
    .where('instance_id', '=', instanceId)
    .where('service', '=', service)
    .executeTakeFirst();
  return row !== undefined;
}

export async function withdrawRevision({ kysely }: Queryable, { instanceId, service }: Reporter): Promise<void> {
  await kysely
    .deleteFrom('runtime_revisions')
    .where('instance_id', '=', instanceId)
    .where('service', '=', service)
    .execute();
}
