import { Kysely, PostgresDialect, sql } from 'kysely';
import type { ConnectionPool } from './connection-pool.ts';
import type { Database } from '../database.ts';
import type { DatabaseOptions } from './database-options.ts';
import type { Tables } from '../tables.ts';

/** The `Database` over a pool. Disposing it disposes `resources`, the pool among them. */
export function createDatabase(
  pool: ConnectionPool,
  resources: AsyncDisposableStack,
  listen: Database['listen'],
  { onQuery = () => {} }: Pick<DatabaseOptions, 'onQuery'>,
): Database {
  const kysely = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: pool.connections }),
    log: ({ queryDurationMillis }) => onQuery(queryDurationMillis),
  });
  return {
    kysely,
    listen,
    check: async () => void (await sql`select 1`.execute(kysely)),
    poolStats: () => pool.stats(),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
