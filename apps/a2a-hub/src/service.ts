import { agentRoutes } from '@portcullis/contracts/all-routes';
import { createServiceApi, type ServiceApi } from '@portcullis/platform/service/service-api';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import type { Service } from '@portcullis/platform/service/service';
import { disposeParts, healthOf, startParts } from '@portcullis/platform/service/service-part';
import type { RequestListener } from 'node:http';
import type { HubPart } from './hub-part.ts';
import { createCards } from './cards/cards.ts';
import { createCardRenderer } from './cards/render-card.ts';
import { createInvocations } from './invoke/invocations.ts';
import { createLogs } from './logs/logs.ts';
import { createRegistry } from './registry/registry.ts';

const serviceName = 'a2a-hub';

/** In the order in which they start. */
function createParts(infrastructure: Infrastructure, api: ServiceApi): readonly HubPart[] {
  const cards = createCardRenderer(infrastructure);
  return [
    createRegistry(infrastructure), //     /agents, /agents/:id, /agents/:id/access
    createCards(infrastructure, cards), // /.well-known, /a2a/v1/agents/:id/.well-known, /agents/signing-keys
    createLogs(infrastructure), //         /agents/:id/logs
    createInvocations(infrastructure, api, cards), // /agents/:id/invoke, /agents/:id/tasks, /a2a/v1, /a2a/v1/agents/:id
  ];
}

/** A2A agents: their registry, and the hub through which they are called. */
export function createA2aHubService(shared: Infrastructure): Service {
  const infrastructure = { ...shared, log: shared.log.child({ service: serviceName }) };
  const api = createServiceApi(infrastructure, infrastructure.log);
  const own = createParts(infrastructure, api);
  const parts = [api, ...own];
  const routes = api.mount({ contract: agentRoutes, bound: own.flatMap(({ bound = [] }) => bound) });
  const http: RequestListener = (request, response) => {
    if (own.every((part) => part.serve?.(request, response) !== true)) routes(request, response);
  };

  return {
    name: serviceName,
    mounts: [
      ...['/api/v1/agents', ...own.flatMap(({ prefixes = [] }) => prefixes)].map((prefix) => ({ prefix, http })),
      ...own.flatMap(({ mounts = [] }) => mounts),
    ],
    start: () => startParts(parts),
    health: () => healthOf(parts),
    [Symbol.asyncDispose]: () => disposeParts(parts),
  };
}
