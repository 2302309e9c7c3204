import { skillRoutes } from '@portcullis/contracts/skill-routes';
import { createServiceApi, type ServiceApi } from '@portcullis/platform/service/service-api';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import type { Service } from '@portcullis/platform/service/service';
import { disposeParts, healthOf, startParts } from '@portcullis/platform/service/service-part';
import { createHubDomain } from './hub-domain.ts';
import type { HubPart } from './hub-part.ts';
import { createSkillServer } from './mcp/skill-server.ts';

const serviceName = 'skill-hub';

/** In the order in which they start. */
function createParts(infrastructure: Infrastructure, api: ServiceApi): readonly HubPart[] {
  const domain = createHubDomain(infrastructure);
  return [
    domain, // /security/skills
    createSkillServer(infrastructure, api, domain.hub), // /mcp/skill-security
  ];
}

/** Skills: what a scan says of them, what admins decided, and the packages of those that were approved. */
export function createSkillHubService(shared: Infrastructure): Service {
  const infrastructure = { ...shared, log: shared.log.child({ service: serviceName }) };
  const api = createServiceApi(infrastructure, infrastructure.log);
  const own = createParts(infrastructure, api);
  const parts = [api, ...own];
  const http = api.mount({ contract: skillRoutes, bound: own.flatMap(({ bound = [] }) => bound) });

  return {
    name: serviceName,
    mounts: [{ prefix: '/api/v1/security/skills', http }, ...own.flatMap(({ mounts = [] }) => mounts)],
    start: () => startParts(parts),
    health: () => healthOf(parts),
    [Symbol.asyncDispose]: () => disposeParts(parts),
  };
}
