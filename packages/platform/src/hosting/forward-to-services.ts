import { createClientAddress } from '../http/client-address.ts';
import { createEdgeSeal } from '../http/edge-seal.ts';
import { createRequestForwarder } from './request-forwarder.ts';
import type { Infrastructure } from '../service/infrastructure.ts';
import { foldPrefix } from './mount-table.ts';
import type { PublicEdge } from './public-edge.ts';
import { createServiceDirectory } from './service-directory.ts';
import type { EdgeRefusals } from './edge-refusals.ts';
import type { Mount, Service } from '../service/service.ts';

interface ForwardingParts {
  readonly edge: PublicEdge;
  /** Of this process. */
  readonly mounts: readonly Mount[];
  readonly services: readonly Service[];
  readonly refusals: EdgeRefusals;
}

/** Serves beside the places of this process those of the services that run in other ones. */
export async function forwardToServices(
  { edge, mounts, services, refusals }: ForwardingParts,
  { database, config, log }: Infrastructure,
): Promise<AsyncDisposable> {
  await using opened = new AsyncDisposableStack();
  const directory = opened.use(createServiceDirectory({ database, log, own: services.map(({ name }) => name) }));
  const forward = opened.use(
    createRequestForwarder({
      directory,
      clientAddress: createClientAddress(config.TRUSTED_PROXIES),
      seal: createEdgeSeal(config.JWT_SECRET.reveal(), config.JWT_SECRET_PREVIOUS?.reveal()),
      refusals,
      log,
    }),
  );
  const own = new Set(mounts.map(({ prefix }) => foldPrefix(prefix)));
  await directory.start((others) => {
    const forwarded = others.filter(({ prefix }) => !own.has(prefix));
    edge.serve([...mounts, ...forwarded.map((place) => ({ prefix: place.prefix, ...forward(place) }))]);
  });
  const resources = opened.move();
  return { [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
