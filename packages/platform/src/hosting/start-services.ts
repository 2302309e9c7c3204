import type { EmbeddedServer } from '../database/embedded/embedded-server.ts';
import { createOriginRule } from '../routes/cors.ts';
import { followLogLevel } from '../settings/follow-log-level.ts';
import { startExpiryAlerts } from '../tls/expiry-alerts.ts';
import { warnPlaintextPorts } from '../tls/warn-plaintext-ports.ts';
import { createEdgeRefusals, type EdgeRefusals } from './edge-refusals.ts';
import { openHealthPort } from './health-port.ts';
import { startHeartbeats } from './heartbeats.ts';
import type { Host, HostOptions } from './host.ts';
import type { Infrastructure } from '../service/infrastructure.ts';
import { deleteProcesses } from './boot-id.ts';
import { openInfrastructure } from './open-infrastructure.ts';
import { advertisedAddress } from './advertised-address.ts';
import { openPublicEdge, type PublicEdge } from './public-edge.ts';
import type { Service, ServiceFactory } from '../service/service.ts';
import { logSlowStep } from '../process/log-slow-step.ts';

interface StartOptions extends HostOptions {
  readonly dataDirectory: string;
  /** See `DatabaseOptions`. */
  readonly embedded: EmbeddedServer | undefined;
}

/** The part of `hostServices` that needs the sources of all services. */
export async function startServices(options: StartOptions): Promise<Host> {
  const { config, log, dataDirectory, embedded, prepare, supervised = false, isEdge = false } = options;
  const { startsWithoutDatabase = false } = options;
  await using opened = new AsyncDisposableStack();
  const sources = loadInOrder(options.services);
  const infrastructure = opened.use(
    await openInfrastructure({ config, dataDirectory, log, startsWithoutDatabase, embedded }),
  );
  const { database, metrics, tls } = infrastructure;
  // The embedded database has one user: all other processes that left rows in it are dead.
  if (config.DATABASE_URL === undefined) await deleteProcesses(database);
  await prepare?.(infrastructure);
  opened.use(followLogLevel({ ...infrastructure, log }));

  const refusals = createEdgeRefusals({
    allowsOrigin: createOriginRule(config),
    observe: (observation) => metrics.gateway.observeRequest(observation),
  });
  const running = opened.use(createRunning(infrastructure, refusals));
  for await (const create of sources) await running.start(create(infrastructure));
  const { edge, services, mounts } = running.all();

  const hasPorts = edge !== undefined || services.some(({ opensPorts }) => opensPorts);
  if (hasPorts && !supervised) {
    warnPlaintextPorts(config, log);
    opened.use(startExpiryAlerts({ tls, database, log }));
  }
  if (!supervised) {
    const address = edge && advertisedAddress(config, { port: edge.port, speaksTls: tls.enabled });
    opened.use(await startHeartbeats({ ...infrastructure, services, address }));
  }
  edge?.serve(mounts);
  if (edge !== undefined && isEdge) {
    const { forwardToServices } = await import('./forward-to-services.ts');
    opened.use(await forwardToServices({ edge, mounts, services, refusals }, infrastructure));
  }
  if (config.HEALTH_PORT > 0 && !supervised)
    opened.use(await openHealthPort(config.HOST, config.HEALTH_PORT, services));

  const resources = opened.move();
  return { infrastructure, edge, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

/** The sources of the first service are read at once, those of each other one when it is that one's turn. */
function loadInOrder(services: HostOptions['services']): AsyncIterable<ServiceFactory> {
  const [loadFirst, ...others] = services;
  const first = loadFirst?.();
  // Told when its turn has come.
  first?.catch(() => undefined);
  return (async function* () {
    if (first !== undefined) yield first;
    for (const load of others) yield load();
  })();
}

/** The services that were started, and the public port, which is opened before the first service that has a place on it. */
function createRunning({ config, log, tls }: Infrastructure, refusals: EdgeRefusals) {
  const services: Service[] = [];
  let edge: PublicEdge | undefined;
  return {
    async start(service: Service): Promise<void> {
      if (service.mounts !== undefined && service.mounts.length > 0)
        edge ??= await openPublicEdge(config.HOST, config.PORT, { createServer: await tls.prepare({}), refusals });
      services.push(service);
      await logSlowStep(log, `Starting ${service.name}`, () => service.start());
    },
    all: () => ({ edge, services, mounts: services.flatMap(({ mounts }) => mounts ?? []) }),
    async [Symbol.asyncDispose]() {
      try {
        await Promise.all([edge?.drain(config.SHUTDOWN_TIMEOUT), disposeAll(services)]);
      } finally {
        await edge?.[Symbol.asyncDispose]();
      }
    },
  };
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
