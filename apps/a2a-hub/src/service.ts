import { agentRoutes } from '@portcullis/contracts/all-routes';
import { createServiceApi } from '@portcullis/platform/http/service-api';
import type { Infrastructure } from '@portcullis/platform/lifecycle/infrastructure';
import type { Service } from '@portcullis/platform/lifecycle/service';
import type { HubPart } from './hub-part.ts';
import { createCards } from './cards/cards.ts';
import { createLogs } from './logs/logs.ts';
import { createRegistry } from './registry/registry.ts';

const serviceName = 'a2a-hub';

/** In the order in which they start. */
const createParts = (infrastructure: Infrastructure): readonly HubPart[] => [
  createRegistry(infrastructure), // /agents, /agents/:id, /agents/:id/access
  createCards(infrastructure), //    /.well-known, /a2a/v1/agents/:id/.well-known, /agents/signing-keys
  createLogs(infrastructure), //     /agents/:id/logs
];

/** A2A agents: their registry, and the hub through which they are called. */
export function createA2aHubService(shared: Infrastructure): Service {
  const infrastructure = { ...shared, log: shared.log.child({ service: serviceName }) };
  const api = createServiceApi(infrastructure, infrastructure.log);
  const parts = createParts(infrastructure);
  const http = api.mount({ contract: agentRoutes, bound: parts.flatMap(({ bound = [] }) => bound) });

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
