import type { Database } from '@portcullis/platform/database/database';
import { sql } from 'kysely';
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
    for (const proxy of proxies) {
      const wanted = proxy.enabled && proxy.desired_state === 'running';
      const error = wanted ? (faults.get(proxy.id) ?? null) : null;
      const state = { state: error === null ? (wanted ? 'running' : 'stopped') : 'error', error, revision };
      await database.kysely
        .insertInto('proxy_states')
        .values({ proxy_id: proxy.id, instance_id: instanceId, port: proxy.port, started_at: new Date(), ...state })
        .onConflict((conflict) => conflict.columns(['proxy_id', 'instance_id']).doUpdateSet(state))
        .execute();
    }
    await sql`select pg_notify('proxy_states', '')`.execute(database.kysely);
  };

  let following = Promise.resolve();
  // A proxy may be deleted between the two statements; the next change is followed all the same.
  const unlisten = await database.listen('config_changes', () => {
    following = following.then(follow).catch(() => undefined);
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
