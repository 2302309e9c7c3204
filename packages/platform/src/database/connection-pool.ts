import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import { DatabaseError, Pool, types as parsers, type CustomTypesConfig, type PoolClient, type PoolConfig } from 'pg';
import { problemText } from '../lifecycle/problem.ts';
import type { Logger } from '../log/logger.ts';
import type { PoolStats } from './database.ts';
import { asDatabaseError } from './database-unavailable.ts';

/** Longest wait for a free connection, or for a new one. */
const connectTimeoutMs = 5_000;

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

export interface ConnectionPool extends AsyncDisposable {
  /** The pool as Kysely wants it. */
  readonly connections: PostgresPool;
  stats(): PoolStats;
}

/** A Pool whose connections report their faults as `DatabaseUnavailable` and never take the process down. */
export function createConnectionPool(config: PoolConfig & { readonly max: number }, log: Logger): ConnectionPool {
  const pool = new Pool({ connectionTimeoutMillis: connectTimeoutMs, ...config, types });
  pool.on('error', (error) => log.warn('a database connection broke', { reason: problemText(error) }));

  const connect = async (): Promise<PostgresPoolClient> => {
    try {
      return lend(await pool.connect());
    } catch (error) {
      throw asDatabaseError(error);
    }
  };
  return {
    connections: { connect, end: () => pool.end(), options: pool.options },
    stats: () => ({
      maxOpenConnections: config.max,
      openConnections: pool.totalCount,
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    [Symbol.asyncDispose]: () => pool.end(),
  };
}

/** A connection in use. One that failed in any way but an answer of the server is thrown away when released. */
function lend(client: PoolClient): PostgresPoolClient {
  let broken = false;
  const onBreak = () => {
    broken = true;
  };
  client.on('error', onBreak);

  const query = async <Row>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<Row>> => {
    try {
      return (await client.query(sql, [...parameters])) as unknown as PostgresQueryResult<Row>;
    } catch (error) {
      broken ||= !(error instanceof DatabaseError);
      throw asDatabaseError(error);
    }
  };
  const release = (destroy = false): void => {
    client.off('error', onBreak);
    client.release(destroy || broken);
  };
  return { query: query as PostgresPoolClient['query'], release };
}
