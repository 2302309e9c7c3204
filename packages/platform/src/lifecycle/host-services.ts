import type { Config } from '../config/config.ts';
import { createOriginRule } from '../http/cors.ts';
import type { Logger } from '../log/logger.ts';
import { followLogLevel } from '../settings/follow-log-level.ts';
import { openDataDirectory } from './data-directory.ts';
import { createEdgeRefusals } from './edge-refusals.ts';
import { openHealthPort } from './health-port.ts';
import { startHeartbeats } from './heartbeats.ts';
import type { Infrastructure } from './infrastructure.ts';
import { forgetProcesses } from './join-boot.ts';
import { openInfrastructure } from './open-infrastructure.ts';
import { ownAddress } from './own-address.ts';
import { openPublicEdge, type PublicEdge } from './public-edge.ts';
import { serveOthers } from './serve-others.ts';
import type { Service, ServiceFactory } from './service.ts';
import { tellStep } from './tell-step.ts';
import { startEndingAlerts } from '../tls/ending-alerts.ts';
import { tellClearPorts } from '../tls/tell-clear-ports.ts';

/** For a former worker to end in, on top of the time that its exchanges have. */
const workerEndMs = 5_000;

interface HostOptions {
  /** Name of the process; one process of a name may use a data directory. */
  readonly name: string;
  readonly config: Config;
  readonly log: Logger;
  /** In the order in which they start. */
  readonly services: readonly ServiceFactory[];
  /** See `ProcessOptions`. */
  readonly startsWithoutDatabase?: boolean;
  /** See `ProcessOptions`. */
  readonly supervised?: boolean;
  /** See `ProcessOptions`. */
  readonly isEdge?: boolean;
}

/** Services that run in this process. Disposing drains and stops them. */
export interface Host extends AsyncDisposable {
  readonly infrastructure: Infrastructure;
  /** Absent when no service here has a place on the public port. */
  readonly edge: PublicEdge | undefined;
}

/**
 * Starts services over one infrastructure. Knows nothing of signals and exit codes, so tests can
 * run a whole gateway within themselves.
 * @throws {StartProblem} for what an operator can put right
 */
export async function hostServices(options: HostOptions): Promise<Host> {
  const {
    name,
    config,
    log,
    services: factories,
    startsWithoutDatabase = false,
    supervised = false,
    isEdge = false,
  } = options;
  await using opened = new AsyncDisposableStack();
  const directory = opened.use(
    await openDataDirectory(config.DATA_DIR, name, {
      // A worker whose supervisor was killed ends by itself, and may need a while for it.
      waitMs: supervised ? config.SHUTDOWN_TIMEOUT + workerEndMs : 0,
      onWait: () => log.warn('Waiting for the worker of a former supervisor, which uses the data directory, to end'),
    }),
  );
  const infrastructure = opened.use(
    await openInfrastructure({ config, dataDirectory: directory.path, log, startsWithoutDatabase }),
  );
  // The embedded database has one user: whoever else left rows in it is dead.
  if (config.DATABASE_URL === undefined) await forgetProcesses(infrastructure.database);

  opened.use(followLogLevel({ ...infrastructure, log }));

  const services = factories.map((create) => create(infrastructure));
  const mounts = services.flatMap((service) => service.mounts ?? []);
  const { tls, database, metrics } = infrastructure;
  const refusals = createEdgeRefusals({
    allowsOrigin: createOriginRule(config),
    observe: (observation) => metrics.gateway.observeRequest(observation),
  });
  const edge =
    mounts.length === 0
      ? undefined
      : opened.use(await openPublicEdge(config.HOST, config.PORT, { createServer: await tls.prepare({}), refusals }));
  const hasPorts = edge !== undefined || services.some(({ opensPorts }) => opensPorts);
  if (hasPorts && !supervised) {
    tellClearPorts(config, log);
    opened.use(startEndingAlerts({ tls, database, log }));
  }

  const started: Service[] = [];
  opened.defer(async () => {
    await Promise.all([edge?.drain(config.SHUTDOWN_TIMEOUT), disposeAll(started)]);
  });
  for (const service of services) {
    started.push(service);
    await tellStep(log, `Starting ${service.name}`, () => service.start());
  }
  if (!supervised) {
    const address = edge && ownAddress(config, { port: edge.port, speaksTls: tls.enabled });
    opened.use(await startHeartbeats({ ...infrastructure, services, address }));
  }
  edge?.serve(mounts);
  if (edge !== undefined && isEdge) opened.use(await serveOthers({ edge, mounts, services, refusals }, infrastructure));
  if (config.HEALTH_PORT > 0 && !supervised)
    opened.use(await openHealthPort(config.HOST, config.HEALTH_PORT, services));

  const resources = opened.move();
  return { infrastructure, edge, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

/**
 * Stops services, last started first, without waiting for one before telling the next: each may
 * take the whole shutdown time for its exchanges in flight, and together they must not take longer.
 */
async function disposeAll(services: readonly Service[]): Promise<void> {
  const outcomes = await Promise.allSettled(services.toReversed().map((service) => service[Symbol.asyncDispose]()));
  const failures = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }): unknown => reason);
  if (failures.length > 0) throw new AggregateError(failures, 'Services did not stop cleanly');
}
