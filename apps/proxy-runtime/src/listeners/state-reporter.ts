import { sql } from 'kysely';
import type { Database } from '@portcullis/platform/database/database';
import { databaseNow } from '@portcullis/platform/database/database-now';
import {
  hasRevision,
  saveRevision,
  withdrawRevision,
  type Reporter,
  type RevisionReport,
} from '@portcullis/platform/runtimes/revision-report';
import type { ListenerState } from './listener-set.ts';
import type { StatsSource, ProxyStats } from './proxy-stats.ts';

/** What a runtime has in force and does. */
export interface RuntimeReport extends RevisionReport {
  /** Of all proxies that are not behind, as of the revision. */
  readonly states: readonly ListenerState[];
}

const renderStats = ({ requests, errors, target }: ProxyStats) => ({
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

/** Where reports go: to the database, or to the process that supervises this one. */
export interface StateReporter {
  /**
   * Writes the states that are not as they were written last, then the revision: of proxies that are not behind, all
   * states are as of that one.
   */
  report(report: RuntimeReport): Promise<void>;
  /** What was written is gone: the next report writes all of it. */
  forget(): void;
  /** Whether the reports of so many proxies are there, and the revision. */
  isReported(proxies: number): Promise<boolean>;
  /** Writes the stats that changed since last time. */
  reportStats(): Promise<void>;
  /** Forgets this process' rows: it serves nothing any more. */
  remove(): Promise<void>;
}

/** Writes what this process has in force and does with each proxy, for the management side to read. */
export class DatabaseReporter implements StateReporter {
  readonly #database: Database;
  readonly #self: Reporter;
  readonly #stats: StatsSource;
  /** The states that were written last. */
  #reported = new Map<number, ListenerState>();
  /** The stats. */
  readonly #written = new Map<number, string>();

  constructor(database: Database, instanceId: string, stats: StatsSource) {
    this.#database = database;
    this.#self = { instanceId, service: 'proxy-runtime' };
    this.#stats = stats;
  }

  async report({ states, revision, behind }: RuntimeReport): Promise<void> {
    const changed = states.filter((state) => {
      const before = this.#reported.get(state.proxyId);
      return before === undefined || !isSame(before, state);
    });
    if (changed.length > 0) {
      // Should the statement fail, it is not known which of them are written.
      for (const { proxyId } of changed) this.#reported.delete(proxyId);
      await saveStates(
        this.#database,
        changed.map((state) => this.#renderState(state, revision)),
      );
    }
    const kept = [...this.#reported].filter(([id]) => behind.has(id));
    this.#reported = new Map([...kept, ...states.map((state) => [state.proxyId, state] as const)]);
    await saveRevision(this.#database, this.#self, { revision, behind });
  }

  forget(): void {
    this.#reported.clear();
  }

  async isReported(proxies: number): Promise<boolean> {
    const { count } = await this.#database.kysely
      .selectFrom('proxy_states')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('instance_id', '=', this.#self.instanceId)
      .executeTakeFirstOrThrow();
    return count >= proxies && (await hasRevision(this.#database, this.#self));
  }

  async reportStats(): Promise<void> {
    for (const [proxyId, current] of this.#stats.all()) {
      const row = renderStats(current);
      const fingerprint = JSON.stringify(row);
      if (this.#written.get(proxyId) === fingerprint) continue;
      await this.#database.kysely
        .updateTable('proxy_states')
        .set({ ...row, updated_at: databaseNow })
        .where('proxy_id', '=', proxyId)
        .where('instance_id', '=', this.#self.instanceId)
        .execute();
      this.#written.set(proxyId, fingerprint);
    }
  }

  async remove(): Promise<void> {
    const { instanceId } = this.#self;
    await this.#database.kysely.deleteFrom('proxy_states').where('instance_id', '=', instanceId).execute();
    await withdrawRevision(this.#database, this.#self);
  }

  #renderState({ proxyId, state, error, port, startedAt }: ListenerState, revision: number) {
    return {
      proxy_id: proxyId,
      instance_id: this.#self.instanceId,
      state,
      error,
      revision,
      port,
      started_at: startedAt,
      ...renderStats(this.#stats.of(proxyId)),
    };
  }
}
