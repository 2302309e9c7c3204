import { addressRuleOf } from '@portcullis/platform/config/config';
import type { Infrastructure } from '@portcullis/platform/lifecycle/infrastructure';
import type { HubPart } from '../hub-part.ts';
import { accessRoutes } from './access-routes.ts';
import { agentRoutes } from './agent-routes.ts';
import { createCardDiscovery } from './discover-card.ts';

/** The agents that the gateway knows, and who may use them. */
export function createRegistry(infrastructure: Infrastructure): HubPart {
  const rule = addressRuleOf(infrastructure.config);
  const discovery = createCardDiscovery(rule);
  return {
    bound: [...agentRoutes(infrastructure, { discovery, rule }), ...accessRoutes(infrastructure.database)],
    [Symbol.asyncDispose]: () => discovery[Symbol.asyncDispose](),
  };
}
