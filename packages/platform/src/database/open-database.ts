import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { callbackify } from 'node:util';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { escapeIdentifier, type ClientBase, type ClientConfig } from 'pg';
import type { Secret } from '../config/secret.ts';
import { lockFileOrThrow } from '../lifecycle/file-lock.ts';
import type { Logger } from '../log/logger.ts';
import { createConnectionPool, type ConnectionPool } from './connection-pool.ts';
import type { Database } from './database.ts';
import { openEmbeddedServer } from './embedded/embedded-server.ts';
import { Listeners } from './listeners.ts';
import { ServerListener } from './server/server-listener.ts';
import type { Tables } from './tables.ts';

export interface DatabaseOptions {
  /** PostgreSQL server; without it the embedded one runs on files under `dataDirectory`. */
  readonly url?: Secret | undefined;
  readonly dataDirectory: string;
  /** Connections to a server at most. The embedded one has a single session, whatever this says. */
  readonly maxConnections: number;
  /** A server cancels a statement that takes longer; a caller is told so in any case a little later. */
  readonly queryTimeoutMs: number;
  readonly log: Logger;
}

/** How long after the server's own timeout a caller stops waiting for its word. */
const networkGraceMs = 2_000;

/**
 * Opens the database. Both back ends are spoken to by the same driver, so types, errors and
 * parameters are the same.
 *
 * With a server this resolves at once, also while the server is away; the embedded one has started
 * when it resolves. A query that runs while a transaction of the same caller is open waits for a
 * connection of its own, which the embedded database does not have: use the transaction's handle.
 * @throws when another process has the embedded database open, or its files are broken
 */
export const openDatabase = async (options: DatabaseOptions): Promise<Database> =>
  options.url === undefined ? await openEmbedded(options) : openServer(options, options.url);

function openServer({ maxConnections, queryTimeoutMs, log }: DatabaseOptions, url: Secret): Database {
  const config: ClientConfig = {
    connectionString: url.reveal(),
    application_name: 'portcullis',
    statement_timeout: queryTimeoutMs,
    query_timeout: queryTimeoutMs + networkGraceMs,
  };
  const pool = createConnectionPool({ ...config, max: maxConnections }, log);
  const listener = new ServerListener(config, log);
  const kysely = createKysely(pool);
  return {
    kysely,
    listen: (channel, callback) => listener.listen(channel, callback),
    check: () => ping(kysely),
    poolStats: () => pool.stats(),
    async [Symbol.asyncDispose]() {
      await Promise.all([listener[Symbol.asyncDispose](), pool[Symbol.asyncDispose]()]);
    },
  };
}

async function openEmbedded({ dataDirectory, queryTimeoutMs, log }: DatabaseOptions): Promise<Database> {
  const directory = join(dataDirectory, 'database');
  await mkdir(directory, { recursive: true });
  await using opened = new AsyncDisposableStack();
  opened.use(lockFileOrThrow(`${directory}.lock`));
  const server = opened.use(await openEmbeddedServer(directory, log));
  const listeners = new Listeners(log);

  // There is one session, so it does both the queries and the listening.
  const listenOn = async (client: ClientBase): Promise<void> => {
    client.on('notification', ({ channel, payload }) => listeners.notify(channel, payload ?? ''));
    for (const channel of listeners.channels()) await client.query(`listen ${escapeIdentifier(channel)}`);
  };
  const pool = opened.use(
    createConnectionPool(
      {
        max: 1,
        idleTimeoutMillis: 0,
        query_timeout: queryTimeoutMs + networkGraceMs,
        stream: () => server.connect(),
        user: 'postgres',
        database: 'postgres',
        verify: callbackify(listenOn),
      },
      log,
    ),
  );
  const kysely = createKysely(pool);
  const resources = opened.move();
  return {
    kysely,
    async listen(channel, listener) {
      listeners.add(channel, listener);
      await sql`listen ${sql.id(channel)}`.execute(kysely);
      return async () => {
        if (listeners.remove(channel, listener)) await sql`unlisten ${sql.id(channel)}`.execute(kysely);
      };
    },
    check: () => ping(kysely),
    poolStats: () => pool.stats(),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

const createKysely = (pool: ConnectionPool): Kysely<Tables> =>
  new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pool.connections }) });

async function ping(kysely: Kysely<Tables>): Promise<void> {
  await sql`select 1`.execute(kysely);
}
