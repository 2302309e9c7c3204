import { EmbeddedServer } from '../database/embedded/embedded-server.ts';
import type { Logger } from '../log/logger.ts';
import { openDataDirectory } from '../process/data-directory.ts';
import { explainUnusableDatabase } from './explain-unusable-database.ts';
import { checkPortIsFree } from '../process/check-port.ts';
import type { Host, HostOptions } from './host.ts';

/** For a former worker to end in, on top of the time that its exchanges have. */
const workerEndMs = 5_000;

/**
 * Starts services over one infrastructure. Knows nothing of signals and exit codes, so tests can
 * run a whole gateway within themselves.
 *
 * The embedded database starts in its thread while this one reads the sources of everything else, so nothing that is
 * imported here may import much.
 * @throws {StartProblem} for what an operator can put right
 */
export async function hostServices(options: HostOptions): Promise<Host> {
  const { name, config, log, supervised = false, isEdge = false } = options;
  await using opened = new AsyncDisposableStack();
  const directory = opened.use(
    await openDataDirectory(config.DATA_DIR, name, {
      // A worker whose supervisor was killed ends by itself, and may need a while for it.
      waitMs: supervised ? config.SHUTDOWN_TIMEOUT + workerEndMs : 0,
      onWait: () => log.warn('Waiting for the worker of a former supervisor, which uses the data directory, to end'),
    }),
  );
  if (isEdge && !supervised && config.PORT > 0) await checkPortIsFree(config.HOST, config.PORT);
  const embedded = config.DATABASE_URL === undefined ? await beginEmbedded(directory.path, log) : undefined;
  // Should the rest fail before the database is opened on it; closing it twice does no harm.
  if (embedded !== undefined) opened.use(embedded);
  const { startServices } = await import('./start-services.ts');
  const host = opened.use(await startServices({ ...options, dataDirectory: directory.path, embedded }));

  const resources = opened.move();
  return { ...host, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

async function beginEmbedded(dataDirectory: string, log: Logger): Promise<EmbeddedServer> {
  try {
    return await EmbeddedServer.begin(dataDirectory, log);
  } catch (error) {
    throw explainUnusableDatabase(error, dataDirectory);
  }
}
