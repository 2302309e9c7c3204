import type { ClientConfig } from 'pg';
import type { Secret } from '../../config/secret.ts';
import { createConnectionPool } from './connection-pool.ts';
import { createDatabase } from './create-database.ts';
import type { Database } from '../database.ts';
import { defaultConnectTimeoutMs, type DatabaseOptions } from './database-options.ts';
import { ServerListener } from './server-listener.ts';

/** How long after the server's own timeout a caller stops waiting for its word: then the network is to blame. */
const networkGraceMs = 2_000;

export function openServerDatabase(options: DatabaseOptions, url: Secret): Database {
  const { maxConnections, queryTimeoutMs, connectTimeoutMs = defaultConnectTimeoutMs, log } = options;
  const client: ClientConfig = {
    connectionString: url.reveal(),
    application_name: 'portcullis',
    // Tells within a minute that a silent server is gone.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: queryTimeoutMs,
    query_timeout: queryTimeoutMs + networkGraceMs,
  };
  const resources = new AsyncDisposableStack();
  const pool = resources.use(createConnectionPool({ ...client, max: maxConnections }, log));
  const listener = resources.use(new ServerListener(client, log));
  return createDatabase(pool, resources, (channel, callback) => listener.listen(channel, callback), options);
}
