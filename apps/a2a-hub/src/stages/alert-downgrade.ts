import { a2aVersions } from '@portcullis/core/a2a/agent-card';
import type { SettleStage } from '@portcullis/core/pipeline/stage';
import { alertRecord, nameOf } from '@portcullis/platform/traffic/alert-record';
import type { Invocation } from '../invocation/invocation.ts';
import type { AgentEntry } from '../snapshot/hub-snapshot.ts';

/**
 * Raises an alert about an agent that speaks an older generation than its card says: what is between could have refused the
 * newer one. Once for each card, in each process.
 */
export function createAlertDowngrade(): SettleStage<Invocation> {
  const alerted = new WeakSet<AgentEntry['routes']>();
  return {
    name: 'tell-downgrade',
    run(invocation) {
      const { route, proxy } = invocation;
      const [best] = proxy.routes;
      if (route === undefined || best === undefined || alerted.has(proxy.routes)) return;
      if (a2aVersions.indexOf(route.version) <= a2aVersions.indexOf(best.version)) return;
      alerted.add(proxy.routes);
      invocation.records.push(
        alertRecord(invocation, {
          severity: 'Medium',
          title: 'Agent Speaks Older Protocol',
          description: `The ${nameOf(invocation)} refused A2A ${best.version}, which its card offers, and was called over ${route.version}.`,
          action: 'Monitor',
          category: 'Traffic Analysis',
          rule_id: 'A2A_PROTOCOL_DOWNGRADE',
          policy_name: 'a2a-protocol',
          raw_data: { offered: best.version, spoken: route.version, binding: route.binding },
        }),
      );
    },
  };
}
