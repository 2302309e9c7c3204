import { agentRoutes } from '@portcullis/contracts/all-routes';
import { createServiceApi, type ServiceApi } from '@portcullis/platform/http/service-api';
import type { Infrastructure } from '@portcullis/platform/lifecycle/infrastructure';
import type { Service } from '@portcullis/platform/lifecycle/service';
import type { RequestListener } from 'node:http';
import type { HubPart } from './hub-part.ts';
import { createCards } from './cards/cards.ts';
import { createInvocations } from './invoke/invocations.ts';
import { createLogs } from './logs/logs.ts';
import { createRegistry } from './registry/registry.ts';

const serviceName = 'a2a-hub';

/** In the order in which they start. */
const createParts = (infrastructure: Infrastructure, api: ServiceApi): readonly HubPart[] => [
  createRegistry(infrastructure), // /agents, /agents/:id, /agents/:id/access
  createCards(infrastructure), //    /.well-known, /a2a/v1/agents/:id/.well-known, /agents/signing-keys
  createLogs(infrastructure), //     /agents/:id/logs
  createInvocations(infrastructure, api), // /agents/:id/invoke, /agents/:id/tasks, /a2a/v1, /a2a/v1/agents/:id
];

/** A2A agents: their registry, and the hub through which they are called. */
export function createA2aHubService(shared: Infrastructure): Service {
  const infrastructure = { ...shared, log: shared.log.child({ service: serviceName }) };
  const api = createServiceApi(infrastructure, infrastructure.log);
  const parts = createParts(infrastructure, api);
  const routes = api.mount({ contract: agentRoutes, bound: parts.flatMap(({ bound = [] }) => bound) });
  const http: RequestListener = (request, response) => {
    if (parts.every((part) => part.serve?.(request, response) !== true)) routes(request, response);
  };

  return {
    name: serviceName,
    mounts: [
      ...['/api/v1/agents', ...parts.flatMap(({ prefixes = [] }) => prefixes)].map((prefix) => ({ prefix, http })),
      ...parts.flatMap(({ mounts = [] }) => mounts),
    ],

    async start() {
      await api.start();
      for (const part of parts) await part.start?.();
    },

    health() {
      const problems = parts.flatMap((part) => part.problems?.() ?? []);
      return { status: problems.length === 0 ? 'healthy' : 'degraded', problems };
    },

    async [Symbol.asyncDispose]() {
      // In reverse, and each also when another fails.
      await using stack = new AsyncDisposableStack();
      stack.use(api);
      for (const part of parts) stack.defer(async () => part[Symbol.asyncDispose]?.());
    },
  };
}
