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

type GatewayApp = Parameters<typeof startGatewayProcess>[0];
export type ServiceApp = Exclude<GatewayApp, 'gateway' | 'management-api' | 'proxy-runtime'>;

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
  processOf(app: ServiceApp | 'management-api'): GatewayProcess;
  /** Starts a service again, after its process was killed. In one process that is the whole gateway. */
  startAgain(app: ServiceApp | 'management-api'): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<readonly (number | null)[]>;
}

export const testAdmin = { username: 'admin', password: 'correct horse battery' };

export const testSecrets = {
  JWT_SECRET: 'j'.repeat(40),
  ENCRYPTION_KEY: 'e'.repeat(32),
  ADMIN_PASSWORD: testAdmin.password,
};

/** What a service answers through the edge once that has found it; the notifier answers nothing there. */
const found: Partial<Record<ServiceApp, string>> = {
  'a2a-hub': '/agents',
  'skill-hub': '/security/skills/registry',
  'guardrails-worker': '/security/guardrails/evaluations',
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
    // Each start would build or hash it: the tests of the console switch it on.
    CONSOLE: 'off',
    ...(mode.kind === 'services' ? { DATABASE_URL: mode.databaseUrl, REDIS_URL: mode.redisUrl } : {}),
    ...options,
  };

  const processes = opened.use(createProcesses(environment));
  const runtimeApp: GatewayApp = mode.kind === 'services' ? 'proxy-runtime' : 'gateway';
  // The management API makes the tables that the others read.
  if (mode.kind === 'services') await processes.start('management-api');
  const beside: readonly GatewayApp[] = mode.kind === 'services' ? (mode.beside ?? ['notifier']) : [];
  await Promise.all([runtimeApp, ...beside].map((app) => processes.start(app)));
  const url = `${options['TLS_CERT_FILE'] === undefined ? 'http' : 'https'}://127.0.0.1:${environment.PORT}`;
  // A Redis that stands still for a moment, as everything may here, is one by which no login can be counted.
  const admin = await waitFor(() => createManagementClient(url, testAdmin), { what: 'the login' });
  // The edge learns of the others a moment after they are ready.
  for (const app of beside) {
    const path = found[app as ServiceApp];
    if (path === undefined) continue;
    await waitFor(async () => (await admin.call('GET', path)).status !== 503, { what: `${app} to be found` });
  }
  const resources = opened.move();
  const nameOf = (app: ServiceApp | 'management-api'): GatewayApp => (mode.kind === 'services' ? app : 'gateway');

  return {
    dataDirectory: directory,
    url,
    admin,
    get runtime() {
      return processes.of(runtimeApp);
    },
    get processes() {
      return processes.all();
    },
    startRuntime: () => processes.start(runtimeApp),
    processOf: (app) => processes.of(nameOf(app)),
    startAgain: (app) => processes.start(nameOf(app)),
    stop: async (signal) => Promise.all(processes.all().map((one) => one.stop(signal))),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** The processes of one gateway by their app. What is started again takes the place of the one before. */
function createProcesses(environment: Readonly<Record<string, string>>) {
  const running = new Map<GatewayApp, GatewayProcess>();
  const before: GatewayProcess[] = [];
  return {
    async start(app: GatewayApp): Promise<void> {
      // One port is public: the edge finds the others wherever they listen.
      const port = app === 'gateway' || app === 'management-api' ? {} : { PORT: '0' };
      const one = await startGatewayProcess(app, { ...environment, ...port });
      running.set(app, one);
      before.push(one);
    },
    of(app: GatewayApp): GatewayProcess {
      const found = running.get(app);
      if (found === undefined) throw new Error(`This gateway runs without ${app}`);
      return found;
    },
    all: () => [...running.values()],
    [Symbol.asyncDispose]: async () => void (await Promise.all(before.map((one) => one.stop()))),
  };
}
