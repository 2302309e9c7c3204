import { existsBatch } from '@portcullis/platform/database/exists-batch';
import { changeConfig } from '@portcullis/platform/database/change-config';
import type { Queryable } from '@portcullis/platform/database/database';
import { databaseNow } from '@portcullis/platform/database/database-now';
import type { Tables } from '@portcullis/platform/database/tables';
import { sql, type ExpressionBuilder, type Kysely } from 'kysely';
import { liveDataPlanes, liveRuntimes } from '@portcullis/platform/runtimes/live-runtimes';

export type ProxyCommand = 'start' | 'stop' | 'restart';

export interface Commanded {
  readonly name: string;
  /** Configuration revision that carries the command: a runtime that has applied it has obeyed. */
  readonly revision: number;
}

/** Writes down what is wanted of a proxy; undefined when there is no such proxy, or it is disabled and shall run. */
export const saveCommand = (database: Queryable, id: number, command: ProxyCommand): Promise<Commanded | undefined> =>
  changeConfig(database, async (transaction) => {
    const row = await transaction
      .updateTable('proxies')
      .set({
        desired_state: command === 'stop' ? 'stopped' : 'running',
        start_problem: null,
        ...(command === 'restart' && { generation: sql<number>`generation + 1` }),
        updated_at: databaseNow,
      })
      .where('id', '=', id)
      .$if(command !== 'stop', (query) => query.where('enabled', '=', true))
      .returning('name')
      .executeTakeFirst();
    if (row === undefined) return undefined;
    // No other transaction changes the configuration until the commit, so the highest revision is ours.
    const { revision } = await transaction
      .selectFrom('config_changes')
      .select(({ fn }) => fn.max<number>('revision').as('revision'))
      .executeTakeFirstOrThrow();
    return { name: row.name, revision };
  });

/** A start that failed is not tried again at the next occasion, unless the desired state was changed meanwhile. */
export const withdrawStart = (database: Queryable, id: number, revision: number, problem: string): Promise<void> =>
  changeConfig(database, async (transaction) => {
    const later = transaction
      .selectFrom('config_changes')
      .select('revision')
      .where('kind', '=', 'proxies')
      .where('id', '=', String(id))
      .where('revision', '>', revision);
    await transaction
      .updateTable('proxies')
      .set({ desired_state: 'stopped', start_problem: problem, updated_at: databaseNow })
      .where('id', '=', id)
      .where((where) => where.not(where.exists(later)))
      .execute();
  });

export interface RuntimeAnswer {
  /** Null until this runtime has applied the revision. */
  readonly state: 'running' | 'stopped' | 'error' | null;
  readonly error: string | null;
}

/** What each live runtime says of a proxy, as of a revision at least. Empty when no runtime lives. */
export const listRuntimeAnswers = ({ kysely }: Queryable, id: number, revision: number): Promise<RuntimeAnswer[]> =>
  liveRuntimes(kysely)
    .leftJoin('runtime_revisions', (join) =>
      join
        .onRef('runtime_revisions.instance_id', '=', 'service_instances.instance_id')
        .onRef('runtime_revisions.service', '=', 'service_instances.service'),
    )
    .leftJoin('proxy_states', (join) =>
      join
        .onRef('proxy_states.instance_id', '=', 'service_instances.instance_id')
        .on('proxy_states.proxy_id', '=', id)
        // A state that did not change is as of the revision that the runtime has in force.
        .on(({ and, or, eb }) =>
          or([
            eb('proxy_states.revision', '>=', revision),
            and([
              eb('runtime_revisions.revision', '>=', revision),
              sql<boolean>`${id} <> all(runtime_revisions.behind)`,
            ]),
          ]),
        ),
    )
    .clearSelect()
    .select(['proxy_states.state', 'proxy_states.error'])
    .$narrowType<{ state: RuntimeAnswer['state'] }>()
    .execute();

/** Makes the proxies that start with the gateway wanted. */
export const wantAutoStarted = async ({ kysely }: Queryable): Promise<void> => {
  await kysely
    .updateTable('proxies')
    .set({ desired_state: 'running', start_problem: null, updated_at: databaseNow })
    .where('auto_start', '=', true)
    .where('enabled', '=', true)
    .where('desired_state', '=', 'stopped')
    .execute();
};

/**
 * The same, once per boot of the installation, whichever replica comes first.
 * @returns false while this process does not know its boot yet
 */
export const wantAutoStartedOnce = (database: Queryable, instanceId: string): Promise<boolean> =>
  database.kysely.transaction().execute(async (transaction) => {
    const boot = transaction
      .selectFrom('service_instances')
      .select('boot_id')
      .where('instance_id', '=', instanceId)
      .where('boot_id', 'is not', null);
    if ((await boot.executeTakeFirst()) === undefined) return false;
    const first = await transaction
      .updateTable('boots')
      .set({ auto_started_at: sql<Date>`now()` })
      .where('id', 'in', boot)
      .where('auto_started_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (first !== undefined) await wantAutoStarted({ kysely: transaction });
    return true;
  });

const isOld = sql<boolean>`updated_at < now() - interval '10 seconds'`;

const staleStates = (kysely: Kysely<Tables>) => (state: ExpressionBuilder<Tables, 'proxy_states'>) =>
  state.and([state('instance_id', 'not in', liveRuntimes(kysely)), isOld]);

const staleRevisions = (kysely: Kysely<Tables>) => (report: ExpressionBuilder<Tables, 'runtime_revisions'>) =>
  report.and([
    report(
      report.refTuple('instance_id', 'service'),
      'not in',
      liveDataPlanes(kysely).$asTuple('instance_id', 'service'),
    ),
    isOld,
  ]);

const hasStaleReports = existsBatch((kysely) =>
  kysely
    .selectFrom('proxy_states')
    .select('instance_id')
    .where(staleStates(kysely))
    .unionAll(kysely.selectFrom('runtime_revisions').select('instance_id').where(staleRevisions(kysely))),
);

/**
 * Deletes what processes reported that are gone. A data plane reports before its first heartbeat, hence
 * the second condition; one that was only silent finds its reports gone and sends them again.
 */
export const deleteStaleReports = async (database: Queryable): Promise<void> => {
  if (!(await hasStaleReports(database))) return;
  const { kysely } = database;
  await kysely.deleteFrom('proxy_states').where(staleStates(kysely)).execute();
  await kysely.deleteFrom('runtime_revisions').where(staleRevisions(kysely)).execute();
};
