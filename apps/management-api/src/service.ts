import { managementRoutes, servicesRoutes } from '@portcullis/contracts/all-routes';
import { getReference } from '@portcullis/contracts/routes/system';
import { mountedPath } from '@portcullis/platform/routes/mount-routes';
import { version } from '@portcullis/platform/process/version';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import type { Service } from '@portcullis/platform/service/service';
import { disposeParts, healthOf, startParts } from '@portcullis/platform/service/service-part';
import { logSlowStep } from '@portcullis/platform/process/log-slow-step';
import { saveBuiltinCases } from '@portcullis/platform/evaluation/save-builtin-cases';
import { saveBuiltinPolicies } from '@portcullis/platform/policies/save-builtin-policies';
import type { RequestListener } from 'node:http';
import { createFirstAdmin, type FirstAdmin } from './auth/first-admin.ts';
import { deactivateInvalidPolicies } from './policies/deactivate-invalid-policies.ts';
import { consolePathOf, createConsoleMount } from './console/console-mount.ts';
import { referenceSecurityPolicy } from './reference/reference-page.ts';
import { bindRoutes } from './routes.ts';
import { createManagementParts, type ManagementParts } from './service-parts.ts';
import { createServiceTable } from './service-table.ts';
import { createHealthCheck } from './system/health.ts';

const serviceName = 'management-api';

export interface ManagementOptions {
  /** SignInDetails once, at the very first start, when a password was made up: it can never be read again. */
  readonly onFirstAdmin?: (admin: FirstAdmin) => void;
}

/** The control plane: the REST API, `/ws`, and the relay that carries stored alerts to queue and bus. */
export function createManagementService(infrastructure: Infrastructure, options: ManagementOptions = {}): Service {
  const log = infrastructure.log.child({ service: serviceName });
  const parts = createManagementParts(infrastructure, log);
  const table = createServiceTable(parts);
  // What this service depends on, the stores, is what the health route itself looks at.
  const health: Service['health'] = () => healthOf(table, infrastructure.tls.problems());
  const checkHealth = createHealthCheck({ ...infrastructure, log, own: { name: serviceName, health } });
  const routes = parts.api.mount({
    contract: managementRoutes,
    bound: bindRoutes(parts, checkHealth),
    // A service that has just started is found within a second: until then its routes are closed as they always are.
    elsewhere: servicesRoutes,
    aliases: { '/api/v1/admin/oauth': '/api/v1/oauth' },
    frontPage: consolePathOf(infrastructure.config),
  });
  const http: RequestListener = (request, response) => {
    if (!parts.discovery.serve(request, response)) routes(request, response);
  };

  return {
    name: serviceName,
    health,
    mounts: [
      { prefix: '/', http },
      { prefix: mountedPath(getReference), http: routes, contentSecurityPolicy: referenceSecurityPolicy },
      { prefix: '/ws', upgrade: parts.live.upgrade },
      createConsoleMount({ ...infrastructure, version, routes }),
    ],
    async start() {
      await prepareDatabase(parts, options);
      await startParts(table);
    },
    [Symbol.asyncDispose]: () => disposeParts(table),
  };
}

/** Brings the database to what this version of the gateway needs in it. */
async function prepareDatabase({ infrastructure, log, policies }: ManagementParts, options: ManagementOptions) {
  const { database, config } = infrastructure;
  await logSlowStep(log, 'Reading the built-in policies', () => saveBuiltinPolicies(database, log));
  await logSlowStep(log, 'Checking the stored policies', () => deactivateInvalidPolicies(database, policies, log));
  await logSlowStep(log, 'Reading the built-in test cases', () => saveBuiltinCases(database));
  const admin = await createFirstAdmin(database, config, log);
  if (admin !== undefined) options.onFirstAdmin?.(admin);
}
