import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { openCoordination } from './open-coordination.ts';
import type { Database } from '../database/database.ts';
import { DatabaseUnavailable } from '../database/database-unavailable.ts';
import { migrate } from '../database/migrate.ts';
import { openDatabase } from '../database/connection/open-database.ts';
import type { EmbeddedServer } from '../database/embedded/embedded-server.ts';
import type { Logger } from '../log/logger.ts';
import { publishMetrics } from '../metrics/metrics-exchange.ts';
import { openLocalModels } from '../guardrails/local-models/local-models.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { checkEncryptionKey } from './check-encryption-key.ts';
import { createEncryption } from '../security/encryption.ts';
import { openSpool } from '../spool/open-spool.ts';
import { createRejectedAlerts } from '../spool/rejected-alert.ts';
import { openTls } from '../tls/open-tls.ts';
import { startTracing } from '../tracing/start-tracing.ts';
import { explainUnusableDatabase } from './explain-unusable-database.ts';
import type { Infrastructure } from '../service/infrastructure.ts';
import { problemCode } from '../errors/problem.ts';
import { completeSecrets, type ProcessSecrets } from '../process/secrets.ts';
import { StartProblem } from '../errors/start-problem.ts';
import { logSlowStep } from '../process/log-slow-step.ts';

const bytesPerMb = 1024 * 1024;

/** SQLSTATEs of tables and indexes that cannot be read. */
const damagedStates: ReadonlySet<string> = new Set(['XX001', 'XX002']);
const restore =
  'Its files are damaged: keep them, and put the last good copy in their place (docs/operations.md, "Restore").';
const cancelled = '57014';
const takesLonger =
  'One of its statements took longer than DB_QUERY_TIMEOUT, or waited so long for another process. Nothing was changed; start again with a longer one.';

interface InfrastructureOptions {
  readonly config: Config;
  /** Existing folder that this process holds. */
  readonly dataDirectory: string;
  readonly log: Logger;
  /** See `DatabaseOptions`. */
  readonly embedded?: EmbeddedServer | undefined;
  /** The process can do its work while the database is away, so it need not be there at the start either. */
  readonly startsWithoutDatabase: boolean;
}

/**
 * Opens what the services of one process share; disposing closes it again, last opened first.
 * @throws {StartProblem} for what an operator can put right
 */
export async function openInfrastructure(options: InfrastructureOptions): Promise<Infrastructure & AsyncDisposable> {
  const { config, dataDirectory, log } = options;
  await using opened = new AsyncDisposableStack();
  opened.use(await startTracing(config, log));
  const complete = await completeSecrets(config, dataDirectory);
  const tls = opened.use(await openTls({ config, log }));
  const localModels = opened.use(openLocalModels(config));
  const metrics = createMetrics();
  const database = opened.use(
    await logSlowStep(log, 'Opening the database', () => openDatabaseOrExplain(options, metrics.gateway.observeQuery)),
  );
  metrics.gateway.watchPool(() => database.poolStats());
  await logSlowStep(log, 'Bringing the database to the newest schema', () =>
    prepareDatabase(database, complete, options),
  );
  const coordination = opened.use(
    await logSlowStep(log, config.REDIS_URL === undefined ? 'Opening the queues' : 'Connecting to Redis', () =>
      openCoordination({ redisUrl: config.REDIS_URL, dataDirectory, log }),
    ),
  );
  metrics.gateway.watchCoordination(() => coordination.problem());
  const instanceId = randomUUID();
  // A process that shares a Redis may be one of several, whose metrics are read in one place.
  if (config.REDIS_URL !== undefined) {
    opened.use(publishMetrics({ registry: metrics.registry, bus: coordination.bus, instanceId }));
  }

  const resources = opened.move();
  const alertFor = createRejectedAlerts();
  return {
    config: complete,
    log,
    metrics,
    database,
    coordination,
    encryption: createEncryption(complete.ENCRYPTION_KEY.reveal(), config.ENCRYPTION_KEY_PREVIOUS?.reveal()),
    tls,
    localModels,
    dataDirectory,
    instanceId,
    openSpool: (service) =>
      openSpool({
        directory: join(dataDirectory, 'spool', service),
        database,
        maxBytes: config.SPOOL_MAX_MB * bytesPerMb,
        log,
        onRejected(spool, records) {
          const alert = alertFor(records);
          if (alert !== undefined) spool.append([alert]);
        },
      }),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function openDatabaseOrExplain(
  { config, dataDirectory, log, embedded }: InfrastructureOptions,
  onQuery: (durationMs: number) => void,
): Promise<Database> {
  try {
    return await openDatabase({
      url: config.DATABASE_URL,
      dataDirectory,
      embedded,
      maxConnections: config.DB_MAX_OPEN_CONNS,
      queryTimeoutMs: config.DB_QUERY_TIMEOUT,
      onQuery,
      log,
    });
  } catch (error) {
    throw explainUnusableDatabase(error, dataDirectory);
  }
}

/** The newest schema, and the key that its secrets are sealed with. */
async function prepareDatabase(
  database: Database,
  config: Config & ProcessSecrets,
  { log, startsWithoutDatabase }: Pick<InfrastructureOptions, 'log' | 'startsWithoutDatabase'>,
): Promise<void> {
  try {
    const migrations = await migrate(database);
    if (migrations.length > 0) log.info('Database migrated', { migrations });
    await checkEncryptionKey(database, config, log);
  } catch (error) {
    if (!(error instanceof Error) || error instanceof StartProblem) throw error;
    const { cause } = error;
    if (damagedStates.has(problemCode(cause) ?? '')) throw new StartProblem(`${error.message}. ${restore}`, error);
    if (!(cause instanceof DatabaseUnavailable)) throw error;
    if (problemCode(cause.cause) === cancelled) throw new StartProblem(`${error.message}. ${takesLonger}`, error);
    if (!startsWithoutDatabase) throw new StartProblem(`${cause.message}. Check DATABASE_URL.`, error);
    log.warn('Starting without the database', { problem: cause.message });
  }
}
