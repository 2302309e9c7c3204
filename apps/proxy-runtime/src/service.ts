import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import type { Service } from '@portcullis/platform/service/service';
import { disposeParts, healthOf, startParts } from '@portcullis/platform/service/service-part';
import { LocalSlots } from './stages/proxy-slots.ts';
import { countWorkersOrThrow } from './config.ts';
import { createDataPlaneParts, serviceName, type DataPlaneOptions } from './data-plane/data-plane-parts.ts';
import { createDataPlaneTable } from './data-plane/data-plane-table.ts';
import { DatabaseReporter } from './listeners/state-reporter.ts';
import { createSupervisor } from './workers/supervisor.ts';

/** The runtime: in this process, or in as many workers as RUNTIME_WORKERS says. */
export function createProxyRuntimeService(infrastructure: Infrastructure): Service {
  const { database, instanceId } = infrastructure;
  const workers = countWorkersOrThrow(infrastructure.config);
  if (workers > 1) return createSupervisor(infrastructure, workers);
  return createDataPlane(infrastructure, {
    createReporter: (stats) => new DatabaseReporter(database, instanceId, stats),
    slots: new LocalSlots(),
  });
}

/** The data plane of one process: one listener per running proxy, and the pipeline behind each. */
export function createDataPlane(infrastructure: Infrastructure, options: DataPlaneOptions): Service {
  const table = createDataPlaneTable(createDataPlaneParts(infrastructure, options));
  return {
    name: serviceName,
    opensPorts: true,
    start: () => startParts(table),
    health: () => healthOf(table, infrastructure.tls.problems()),
    [Symbol.asyncDispose]: () => disposeParts(table),
  };
}
