import { clearRedis } from '../../apps/gateway/test/start-gateway.ts';
import { silentLog, createTestDatabase } from '../../packages/platform/test/test-database.ts';
import { openDatabase } from '../../packages/platform/src/database/connection/open-database.ts';
import type { Database } from '../../packages/platform/src/database/database.ts';
import { startTestGateway, type TestGateway } from '../../packages/testkit/src/test-gateway.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Options = Readonly<Record<string, string>>;

/** Stores in which one gateway after the other is started, each with options of its own. */
export interface GatewayStores extends AsyncDisposable {
  /** For the files of an attack, and of the gateway. */
  readonly directory: string;
  /** For programs that look at the stores. */
  readonly environment: Options;
  /** The one before must have ended; the last one ends with its place. */
  start(options?: Options): Promise<TestGateway>;
  /** As a person with the database; no gateway may run. */
  openDatabase(): Promise<Database>;
}

/** Beside what tests and other gateways have of the same server. */
const redisNumber = 15;

/** @param kind as TEST_DATABASE_URL and TEST_REDIS_URL are set, or not */
export async function openGatewayStores(kind: 'one process' | 'services'): Promise<GatewayStores> {
  await using opened = new AsyncDisposableStack();
  const database = opened.use(await createTestDatabase(kind === 'services' ? 'server' : 'embedded'));
  const directory = kind === 'services' ? await mkdtemp(join(tmpdir(), 'portcullis-place-')) : database.dataDirectory;
  opened.defer(() => rm(directory, { recursive: true, force: true }));
  const databaseUrl = database.url?.reveal();
  const redisUrl = databaseUrl === undefined ? undefined : await clearRedis(redisNumber);
  const mode =
    databaseUrl === undefined || redisUrl === undefined
      ? ({ kind: 'one process' } as const)
      : ({ kind: 'services', databaseUrl, redisUrl } as const);
  // Goes on growing after `opened` has moved.
  const gateways = opened.use(new AsyncDisposableStack());
  const resources = opened.move();
  return {
    directory,
    environment: { DATA_DIR: directory, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) },
    start: async (options) => gateways.use(await startTestGateway(mode, options, directory)),
    openDatabase: () =>
      openDatabase({
        url: database.url,
        dataDirectory: directory,
        maxConnections: 1,
        queryTimeoutMs: 60_000,
        log: silentLog,
      }),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
