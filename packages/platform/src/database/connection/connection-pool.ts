import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import { DatabaseError, Pool, types as parsers, type CustomTypesConfig, type PoolClient, type PoolConfig } from 'pg';
import { problemText } from '../../errors/problem.ts';
import type { Logger } from '../../log/logger.ts';
import type { PoolStats } from '../database.ts';
import { asDatabaseError, DatabaseUnavailable } from '../database-unavailable.ts';
import { findPlanName } from '../prepared.ts';
import { ConnectionTrace } from '../trace-query.ts';

export interface ConnectionPool extends AsyncDisposable {
  /** The pool as Kysely wants it. */
  readonly connections: PostgresPool;
  /** Runs one statement on any connection. */
  query(sql: string): Promise<void>;
  stats(): PoolStats;
}

export interface ConnectionPoolConfig extends PoolConfig {
  readonly max: number;
  /** Keeps the plans of statements that are marked as `prepared`: for sessions without a pooler in between. */
  readonly keepsPlans?: boolean;
}

/** A pg.Pool whose connections report their faults as `DatabaseUnavailable` and never take the process down. */
export function createConnectionPool(config: ConnectionPoolConfig, log: Logger): ConnectionPool {
  const pool = new Pool({ ...config, types });
  pool.on('error', (error) => log.warn('A database connection broke', { reason: problemText(error) }));

  const counts = { waitCount: 0, waitMs: 0, idleClosed: 0 };
  const lent = new WeakSet<PoolClient>();
  pool.on('release', (_error, client) => lent.delete(client));
  // A connection that ends while it is not in use, and without a fault, was idle for too long.
  pool.on('remove', (client) => {
    if (!pool.ending && !lent.has(client) && !broken.has(client)) counts.idleClosed += 1;
  });
  const broken = new WeakSet<PoolClient>();
  pool.on('error', (_error, client) => broken.add(client));

  const connect = async (): Promise<PostgresPoolClient> => {
    const mustWait = pool.idleCount === 0 && pool.totalCount >= config.max;
    const startedAt = mustWait ? performance.now() : 0;
    try {
      const client = await pool.connect();
      lent.add(client);
      return lend(client, config.keepsPlans === true);
    } catch (error) {
      throw asDatabaseError(error);
    } finally {
      if (mustWait) countWait(counts, performance.now() - startedAt, config.max);
    }
  };
  return {
    connections: { connect, end: () => pool.end(), options: pool.options },
    async query(sql) {
      const client = await connect();
      await client.query(sql, []).finally(() => client.release());
    },
    stats: () => ({
      maxOpenConnections: config.max,
      openConnections: pool.totalCount,
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      ...counts,
    }),
    [Symbol.asyncDispose]: () => pool.end(),
  };
}

/** Taking turns on the embedded database's only session is its nature, however many there are; only long waits count there. */
const turnMs = 1_000;

function countWait(counts: { waitCount: number; waitMs: number }, waitedMs: number, connections: number): void {
  if (connections === 1 && waitedMs < turnMs) return;
  counts.waitCount += 1;
  counts.waitMs += waitedMs;
}

const int8 = 20;
const int8Array = 1016;

/** pg's parsers, except that bigint arrives as number: our counters and ids stay far below 2^53. */
const types: CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') => {
    const parse = parsers.getTypeParser(oid, format) as (text: string) => unknown;
    if (oid === int8) return Number;
    if (oid === int8Array) return (text: string) => (parse(text) as string[]).map(Number);
    return parse;
  }) as typeof parsers.getTypeParser,
};

/** Errors after which the server ends the connection, or itself. */
const endingSeverities: ReadonlySet<string> = new Set(['FATAL', 'PANIC']);

/** A connection in use. Once it failed in any way but an answer of the server it serves no more and is not reused. */
function lend(client: PoolClient, keepsPlans: boolean): PostgresPoolClient {
  let fault: unknown;
  const onError = (error: unknown): void => {
    const answered = error instanceof DatabaseError && !endingSeverities.has(error.severity ?? '');
    if (!answered) fault ??= error;
  };
  client.on('error', onError);
  const trace = new ConnectionTrace();

  const query = async <Row>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<Row>> => {
    if (fault !== undefined) throw new DatabaseUnavailable(fault);
    try {
      const name = keepsPlans ? findPlanName(sql) : undefined;
      const result = await trace.query(sql, () =>
        client.query({ text: sql, values: [...parameters], ...(name !== undefined && { name }) }),
      );
      return result as unknown as PostgresQueryResult<Row>;
    } catch (error) {
      onError(error);
      throw asDatabaseError(error);
    }
  };
  const release = (destroy = false): void => {
    client.off('error', onError);
    trace.end();
    client.release(destroy || fault !== undefined);
  };
  return { query: query as PostgresPoolClient['query'], release };
}
