import {
  addProxyPolicy,
  listProxyPolicies,
  removeProxyPolicy,
  replaceProxyPolicies,
  type ProxyPolicies,
} from '@portcullis/contracts/routes/proxy-policies';
import { changeConfig } from '@portcullis/platform/database/change-config';
import type { Database } from '@portcullis/platform/database/database';
import { violatedConstraint } from '@portcullis/platform/database/violated-constraint';
import { bind, type BoundRoute } from '@portcullis/platform/http/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import {
  addAssignment,
  listAssignments,
  listPolicySummaries,
  removeAssignment,
  replaceAssignments,
} from './proxy-policy-queries.ts';
import { unknownProxy } from './proxy-problems.ts';
import { findProxy } from './proxy-queries.ts';

export const proxyPolicyRoutes = (database: Database): BoundRoute[] => [
  bind(listProxyPolicies, async ({ params }) => ({ data: await loadProxyPolicies(database, params.id) })),

  bind(replaceProxyPolicies, async ({ params, body }) => {
    await changeConfig(database, (transaction) => replaceAssignments(transaction, params.id, body.policy_names)).catch(
      (error: unknown) => refuseUnknownProxy(error, params.id),
    );
    return { data: await loadProxyPolicies(database, params.id), message: 'Policies assigned' };
  }),

  bind(addProxyPolicy, async ({ params }) => {
    await addAssignment(database, params.id, params.policyName).catch((error: unknown) =>
      refuseUnknownProxy(error, params.id),
    );
    return { data: await loadProxyPolicies(database, params.id), message: 'Policy assigned' };
  }),

  bind(removeProxyPolicy, async ({ params }) => {
    if (!(await removeAssignment(database, params.id, params.policyName))) {
      throw new GatewayError('not_found', {
        message: `Proxy ${params.id} has no policy ${JSON.stringify(params.policyName)}`,
      });
    }
    return { data: await loadProxyPolicies(database, params.id), message: 'Policy removed' };
  }),
];

async function loadProxyPolicies(database: Database, proxyId: number): Promise<ProxyPolicies> {
  if ((await findProxy(database, proxyId)) === undefined) throw unknownProxy(proxyId);
  const assigned = (await listAssignments(database, [proxyId])).map(({ policy_name: name }) => name);
  const policies = await listPolicySummaries(database);
  return {
    assigned_policies: assigned,
    available_policies: policies.map((policy) => ({ ...policy, assigned: assigned.includes(policy.name) })),
  };
}

function refuseUnknownProxy(error: unknown, proxyId: number): never {
  throw violatedConstraint(error, 'foreign key') === undefined ? error : unknownProxy(proxyId);
}
