import { sql } from 'kysely';
import type { Database } from '@portcullis/platform/database/database';
import { databaseNow } from '@portcullis/platform/database/database-now';
import type { ListenerState } from './listener-set.ts';
import type { FigureSource, ProxyFigures } from './proxy-figures.ts';

/** What a runtime has in force and does. */
export interface RuntimeReport {
  /** Of all proxies that are not behind. */
  readonly states: readonly ListenerState[];
  /** Configuration revision that is in force and that the states answer. */
  readonly revision: number;
  /** Proxies whose newest configuration is not in force yet. */
  readonly behind: ReadonlySet<number>;
}

/** Writes what this process has in force and does with each proxy, for the management side to read. */
export interface StateReporter {
  /**
   * Writes the states that are not as they were written last, then the revision: of proxies that are not behind, all
   * states are as of that one.
   */
  report(report: RuntimeReport): Promise<void>;
  /** What was written is gone: the next report writes all of it. */
  forget(): void;
  /** Of how many proxies there is a report of this process. */
  countReports(): Promise<number>;
  /** Writes the figures that changed since last time. */
  reportFigures(): Promise<void>;
  /** Forgets this process' rows: it serves nothing any more. */
  withdraw(): Promise<void>;
}

const renderFigures = ({ requests, errors, target }: ProxyFigures) => ({
  requests_processed: requests,
  errors,
  target_state: target.state,
  target_problem: target.problem,
});

async function saveStates(database: Database, rows: readonly object[]): Promise<void> {
  // A proxy that was deleted meanwhile has no row to belong to, hence the join.
  await sql`
    insert into proxy_states (proxy_id, instance_id, state, error, revision, port, started_at, requests_processed,
      errors, target_state, target_problem)
    select reported.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as reported(
      proxy_id integer, instance_id uuid, state text, error text, revision bigint, port integer,
      started_at timestamptz, requests_processed bigint, errors bigint, target_state text, target_problem text)
    join proxies on proxies.id = reported.proxy_id
    on conflict (proxy_id, instance_id) do update set
      state = excluded.state, error = excluded.error, revision = excluded.revision, port = excluded.port,
      started_at = excluded.started_at, requests_processed = excluded.requests_processed,
      errors = excluded.errors, target_state = excluded.target_state, target_problem = excluded.target_problem,
      updated_at = now()
  `.execute(database.kysely);
}

const isSame = (one: ListenerState, other: ListenerState): boolean =>
  one.state === other.state &&
  one.error === other.error &&
  one.port === other.port &&
  one.startedAt?.valueOf() === other.startedAt?.valueOf();

export function createStateReporter(database: Database, instanceId: string, figures: FigureSource): StateReporter {
  const written = new Map<number, string>();
  let told = new Map<number, ListenerState>();

  return {
    async report({ states, revision, behind }) {
      const changed = states.filter((state) => {
        const before = told.get(state.proxyId);
        return before === undefined || !isSame(before, state);
      });
      const rows = changed.map((state) => ({
        proxy_id: state.proxyId,
        instance_id: instanceId,
        state: state.state,
        error: state.error,
        revision,
        port: state.port,
        started_at: state.startedAt,
        ...renderFigures(figures.of(state.proxyId)),
      }));
      if (rows.length > 0) {
        // Should the statement fail, it is not known which of them are written.
        for (const { proxyId } of changed) told.delete(proxyId);
        await saveStates(database, rows);
      }
      const kept = [...told].filter(([id]) => behind.has(id));
      told = new Map([...kept, ...states.map((state) => [state.proxyId, state] as const)]);
      await sql`
        with reported as (
          insert into runtime_revisions (instance_id, revision, behind)
          values (${instanceId}, ${revision}, ${[...behind]}::integer[])
          on conflict (instance_id) do update
            set revision = excluded.revision, behind = excluded.behind, updated_at = now())
        select pg_notify('proxy_states', ${String(revision)})`.execute(database.kysely);
    },

    forget() {
      told.clear();
    },

    async countReports() {
      const { count } = await database.kysely
        .selectFrom('proxy_states')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('instance_id', '=', instanceId)
        .executeTakeFirstOrThrow();
      return count;
    },

    async reportFigures() {
      for (const [proxyId, current] of figures.all()) {
        const row = renderFigures(current);
        const fingerprint = JSON.stringify(row);
        if (written.get(proxyId) === fingerprint) continue;
        await database.kysely
          .updateTable('proxy_states')
          .set({ ...row, updated_at: databaseNow })
          .where('proxy_id', '=', proxyId)
          .where('instance_id', '=', instanceId)
          .execute();
        written.set(proxyId, fingerprint);
      }
    },

    async withdraw() {
      await database.kysely.deleteFrom('proxy_states').where('instance_id', '=', instanceId).execute();
      await database.kysely.deleteFrom('runtime_revisions').where('instance_id', '=', instanceId).execute();
    },
  };
}
