import type { Database } from '@portcullis/platform/database/database';
import type { ProxyStatesTable } from '@portcullis/platform/database/tables';
import { sql, type Insertable } from 'kysely';
import { randomUUID } from 'node:crypto';

/** What a runtime process leaves in the database, without listeners: it follows every change of the proxies. */
export interface RuntimeRows extends AsyncDisposable {
  readonly instanceId: string;
  /** Proxies that cannot start, with the reason. */
  readonly faults: Map<number, string>;
  /** Stops following, as a process does that hangs; its heartbeat goes on. */
  hang(): Promise<void>;
}

export async function followDesiredState(database: Database): Promise<RuntimeRows> {
  const instanceId = randomUUID();
  const faults = new Map<number, string>();
  await insertHeartbeat(database, 'proxy-runtime', instanceId);

  const follow = async () => {
    const { revision } = await database.kysely
      .selectFrom('config_changes')
      .select(({ fn }) => fn.coalesce(fn.max('revision'), sql<number>`0`).as('revision'))
      .executeTakeFirstOrThrow();
    const proxies = await database.kysely.selectFrom('proxies').selectAll().execute();
    const states = proxies.map(({ id, port, enabled, desired_state: desired }) => {
      const wanted = enabled && desired === 'running';
      const error = wanted ? (faults.get(id) ?? null) : null;
      const state = error === null ? (wanted ? 'running' : 'stopped') : 'error';
      return { proxy_id: id, instance_id: instanceId, port, started_at: new Date(), state, error, revision };
    });
    if (states.length > 0) await report(states);
    await database.kysely
      .insertInto('runtime_revisions')
      .values({ instance_id: instanceId, service: 'proxy-runtime', revision })
      .onConflict((conflict) => conflict.columns(['instance_id', 'service']).doUpdateSet({ revision }))
      .execute();
    await sql`select pg_notify('proxy_states', '')`.execute(database.kysely);
  };
  const report = (states: readonly Insertable<ProxyStatesTable>[]) =>
    database.kysely
      .insertInto('proxy_states')
      .values(states)
      .onConflict((conflict) =>
        conflict.columns(['proxy_id', 'instance_id']).doUpdateSet((row) => ({
          state: row.ref('excluded.state'),
          error: row.ref('excluded.error'),
          revision: row.ref('excluded.revision'),
        })),
      )
      .execute();

  let following = Promise.resolve();
  let waiting = false;
  const unlisten = await database.listen('config_changes', () => {
    // One look follows all changes before it, however many there were.
    if (waiting) return;
    waiting = true;
    following = following.then(async () => {
      waiting = false;
      // A proxy may be deleted between the two statements; its end is a change that is followed as well.
      await follow().catch(() => undefined);
    });
  });
  const hang = async () => {
    await unlisten();
    await following;
  };
  return {
    instanceId,
    faults,
    hang,
    async [Symbol.asyncDispose]() {
      await hang();
      await database.kysely.deleteFrom('service_instances').where('instance_id', '=', instanceId).execute();
    },
  };
}

/** Ahead of the time unless its age is given: such an instance is alive however long a test takes. */
export const insertHeartbeat = async (
  { kysely }: Database,
  service: string,
  instanceId: string = randomUUID(),
  { ageS = -3_600, health = { status: 'healthy', problems: [] as string[] } } = {},
): Promise<void> => {
  await kysely
    .insertInto('service_instances')
    .values({
      instance_id: instanceId,
      service,
      host: 'test',
      pid: 1,
      version: '0.1.0',
      health: JSON.stringify(health),
      heartbeat_at: sql<Date>`now() - make_interval(secs => ${ageS})`,
    })
    .execute();
};
