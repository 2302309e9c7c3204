import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from './free-port.ts';
import { startGatewayProcess, type GatewayProcess } from './gateway-process.ts';
import { createManagementClient, type ManagementClient } from './management-client.ts';
import { waitFor } from './wait-for.ts';

/** The two ways to run. */
export type GatewayMode =
  | { readonly kind: 'one process' }
  | {
      readonly kind: 'services';
      readonly databaseUrl: string;
      readonly redisUrl: string;
      /** What runs beside the management API and the data plane; the notifier unless given. */
      readonly beside?: readonly ServiceApp[];
    };

export type ServiceApp = 'notifier' | 'a2a-hub' | 'skill-hub';

export interface TestGateway extends AsyncDisposable {
  readonly dataDirectory: string;
  /** Origin of the public edge. */
  readonly url: string;
  /** Calls the management API as the admin. */
  readonly admin: ManagementClient;
  /** The process with the data plane in it. */
  readonly runtime: GatewayProcess;
  readonly processes: readonly GatewayProcess[];
  /** Starts the data plane again, after its process was killed. In one process that is the whole gateway. */
  startRuntime(): Promise<void>;
  /** The process that has this service, started beside the runtime or with it. */
  processOf(app: ServiceApp): GatewayProcess;
  /** Starts a service again, after its process was killed. In one process that is the whole gateway. */
  startAgain(app: ServiceApp): Promise<void>;
  /** Starts the process with the management API again, after it ended, where it is one of its own. */
  startManagement(): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<readonly (number | null)[]>;
}

export const testAdmin = { username: 'admin', password: 'correct horse battery' };

export const testSecrets = {
  JWT_SECRET: 'j'.repeat(40),
  ENCRYPTION_KEY: 'e'.repeat(32),
  ADMIN_PASSWORD: testAdmin.password,
};

/** Starts a whole gateway in processes of its own and logs in as the admin. */
export async function startTestGateway(
  mode: GatewayMode,
  options: Readonly<Record<string, string>> = {},
  dataDirectory?: string,
): Promise<TestGateway> {
  await using opened = new AsyncDisposableStack();
  const directory = dataDirectory ?? (await mkdtemp(join(tmpdir(), 'portcullis-e2e-')));
  if (dataDirectory === undefined) opened.defer(() => rm(directory, { recursive: true, force: true }));
  const environment = {
    ...testSecrets,
    DATA_DIR: directory,
    // A restart comes back on it, which the caller knows.
    PORT: String(await findFreePort()),
    ...(mode.kind === 'services' ? { DATABASE_URL: mode.databaseUrl, REDIS_URL: mode.redisUrl } : {}),
    ...options,
  };

  const started: GatewayProcess[] = [];
  opened.defer(async () => void (await Promise.all(started.map((one) => one.stop()))));
  const start = async (app: Parameters<typeof startGatewayProcess>[0]): Promise<GatewayProcess> => {
    // One port is public: the edge finds the others wherever they listen.
    const port = app === 'gateway' || app === 'management-api' ? {} : { PORT: '0' };
    const one = await startGatewayProcess(app, { ...environment, ...port });
    started.push(one);
    return one;
  };

  const runtimeApp = mode.kind === 'services' ? 'proxy-runtime' : 'gateway';
  // The management API makes the tables that the others read.
  const management = mode.kind === 'services' ? [await start('management-api')] : [];
  const besideApps = mode.kind === 'services' ? (mode.beside ?? ['notifier']) : [];
  const [firstRuntime, ...beside] = await Promise.all([start(runtimeApp), ...besideApps.map(start)]);
  const others = [...management, ...beside];
  /** Its place among the others; none in one process. */
  const placeOf = (app: ServiceApp): number | undefined => {
    if (mode.kind === 'one process') return undefined;
    const place = besideApps.indexOf(app);
    if (place === -1) throw new Error(`This gateway was started without ${app}`);
    return management.length + place;
  };
  let runtime = firstRuntime;
  const url = `${options['TLS_CERT_FILE'] === undefined ? 'http' : 'https'}://127.0.0.1:${environment.PORT}`;
  // A Redis that stands still for a moment, as everything may here, is one by which no login can be counted.
  const admin = await waitFor(() => createManagementClient(url, testAdmin), { what: 'the login' });
  const resources = opened.move();

  const stop = async (signal?: NodeJS.Signals) => Promise.all([runtime, ...others].map((one) => one.stop(signal)));

  return {
    dataDirectory: directory,
    url,
    admin,
    get runtime() {
      return runtime;
    },
    get processes() {
      return [runtime, ...others];
    },
    async startRuntime() {
      runtime = await start(runtimeApp);
    },
    processOf(app) {
      const place = placeOf(app);
      return (place === undefined ? undefined : others[place]) ?? runtime;
    },
    async startAgain(app) {
      const place = placeOf(app);
      if (place === undefined) runtime = await start(runtimeApp);
      else others[place] = await start(app);
    },
    async startManagement() {
      others[0] = await start('management-api');
    },
    stop,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
