import { createClientAddress } from '../http/client-address.ts';
import { createEdgeSeal } from '../http/edge-seal.ts';
import { createHandOn } from './forward-requests.ts';
import type { Infrastructure } from '../service/infrastructure.ts';
import { foldPrefix } from './mount-table.ts';
import type { PublicEdge } from './public-edge.ts';
import { createServiceDirectory } from './service-directory.ts';
import type { EdgeRefusals } from './edge-refusals.ts';
import type { Mount, Service } from '../service/service.ts';

interface OthersParts {
  readonly edge: PublicEdge;
  /** Of this process. */
  readonly mounts: readonly Mount[];
  readonly services: readonly Service[];
  readonly refusals: EdgeRefusals;
}

/** Serves beside the places of this process those of the services that run in other ones. */
export async function serveOthers(
  { edge, mounts, services, refusals }: OthersParts,
  { database, config, log }: Infrastructure,
): Promise<AsyncDisposable> {
  await using opened = new AsyncDisposableStack();
  const directory = opened.use(createServiceDirectory({ database, log, own: services.map(({ name }) => name) }));
  const handOn = opened.use(
    createHandOn({
      directory,
      clientAddress: createClientAddress(config.TRUSTED_PROXIES),
      seal: createEdgeSeal(config.JWT_SECRET.reveal(), config.JWT_SECRET_PREVIOUS?.reveal()),
      refusals,
      log,
    }),
  );
  const own = new Set(mounts.map(({ prefix }) => foldPrefix(prefix)));
  await directory.start((others) => {
    const handedOn = others.filter(({ prefix }) => !own.has(prefix));
    edge.serve([...mounts, ...handedOn.map((place) => ({ prefix: place.prefix, ...handOn(place) }))]);
  });
  const resources = opened.move();
  return { [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
