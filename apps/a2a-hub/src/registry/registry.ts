import { addressRuleOf } from '@portcullis/platform/config/config';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { createDefinitionScanner } from '@portcullis/platform/policies/definition-scanner';
import type { HubPart } from '../hub-part.ts';
import { startCardCheckJob } from '../review/card-check-job.ts';
import { changeRoutes } from '../review/change-routes.ts';
import { accessRoutes } from './access-routes.ts';
import { agentRoutes } from './agent-routes.ts';
import { createCardDiscovery } from '../cards/discover-card.ts';

/** The agents that the gateway knows, who may use them, and what becomes of changes of their cards. */
export function createRegistry(infrastructure: Infrastructure): HubPart {
  const { database, config, encryption } = infrastructure;
  const rule = addressRuleOf(config);
  const discovery = createCardDiscovery(rule);
  const loader = { discovery, encryption, rule };
  const scanner = createDefinitionScanner();
  let job: AsyncDisposable | undefined;
  return {
    bound: [
      ...agentRoutes({ ...infrastructure, loader, scanner }),
      ...accessRoutes(database),
      ...changeRoutes(infrastructure, loader, scanner),
    ],
    async start() {
      job = startCardCheckJob({ ...infrastructure, discovery, scanner });
    },
    async [Symbol.asyncDispose]() {
      await job?.[Symbol.asyncDispose]();
      await discovery[Symbol.asyncDispose]();
    },
  };
}
