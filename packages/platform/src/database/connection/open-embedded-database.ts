import { callbackify } from 'node:util';
import { escapeIdentifier, type ClientBase } from 'pg';
import { problemText } from '../../errors/problem.ts';
import { runEvery } from '../../event-loop/run-every.ts';
import { createConnectionPool } from './connection-pool.ts';
import { createDatabase } from './create-database.ts';
import type { Database } from '../database.ts';
import { defaultConnectTimeoutMs, type DatabaseOptions } from './database-options.ts';
import { Listeners } from './listeners.ts';
import { EmbeddedServer } from '../embedded/embedded-server.ts';

const minuteMs = 60_000;
/** Statements and rows after which a checkpoint does not wait for its minute; the log of them takes half as much again. */
const checkpointBytes = 16_777_216;

/** Opens PostgreSQL on the files in `<dataDirectory>/database`. */
export async function openEmbeddedDatabase(options: DatabaseOptions): Promise<Database> {
  const { dataDirectory, queryTimeoutMs, connectTimeoutMs = defaultConnectTimeoutMs, log } = options;
  const { checkpointMs = minuteMs } = options;

  await using opened = new AsyncDisposableStack();
  const server = opened.use(options.embedded ?? (await EmbeddedServer.begin(dataDirectory, log)));
  await server.ready();
  const listeners = new Listeners(log);

  // There is one session, so it does both the queries and the listening.
  const listenOn = async (client: ClientBase): Promise<void> => {
    client.on('notification', ({ channel, payload }) => listeners.notify(channel, payload ?? ''));
    for (const channel of listeners.channels()) await client.query(`listen ${escapeIdentifier(channel)}`);
  };
  const session = {
    max: 1,
    keepsPlans: true,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: queryTimeoutMs,
    stream: () => server.connect(countSent),
    ssl: false,
    user: 'postgres',
    database: 'postgres',
    verify: callbackify(listenOn),
  };
  const pool = opened.use(createConnectionPool(session, log));
  // PostgreSQL in a single process makes none by itself: its log would grow until the disk is full. When much is written
  // they come sooner, so that files of the log are written again instead of new ones.
  const checkpoints = opened.use(
    runEvery(() => pool.query('checkpoint'), {
      intervalMs: checkpointMs,
      onFault: (error) => void log.warn('The embedded database made no checkpoint', { reason: problemText(error) }),
      later: true,
    }),
  );
  let sentBytes = 0;
  const countSent = (bytes: number): void => {
    sentBytes += bytes;
    if (sentBytes < checkpointBytes) return;
    sentBytes = 0;
    checkpoints.runNow();
  };
  const run = (command: string, channel: string) => pool.query(`${command} ${escapeIdentifier(channel)}`);

  const listen: Database['listen'] = async (channel, listener) => {
    listeners.add(channel, listener);
    await run('listen', channel);
    return async () => {
      if (listeners.remove(channel, listener)) await run('unlisten', channel);
    };
  };
  return createDatabase(pool, opened.move(), listen, options);
}
