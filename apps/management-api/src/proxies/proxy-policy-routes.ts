import {
  addProxyPolicy,
  listProxyPolicies,
  removeProxyPolicy,
  replaceProxyPolicies,
  type ProxyPolicies,
} from '@portcullis/contracts/routes/proxy-policies';
import type { AuditEventType } from '@portcullis/contracts/audit-events';
import type { Tables } from '@portcullis/platform/database/tables';
import type { Transaction } from 'kysely';
import { audited, type AuditedCall } from '../audit/audited.ts';
import { loadPolicyNames, proxyResource } from './proxy-state.ts';
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

  bind(replaceProxyPolicies, async (call) => {
    const { params, body } = call;
    const names = body.policy_names ?? body.policies;
    if (names === undefined) {
      throw new GatewayError('bad_request', { problems: [{ path: '/body/policy_names', rule: 'is required' }] });
    }
    await changeAssignments(database, call, 'policy.bulk.assigned', (transaction) =>
      replaceAssignments(transaction.kysely, params.id, names),
    );
    return tell(await loadProxyPolicies(database, params.id), 'Policies assigned');
  }),

  bind(addProxyPolicy, async (call) => {
    const { params } = call;
    await changeAssignments(database, call, 'policy.assigned', (transaction) =>
      addAssignment(transaction, params.id, params.policyName),
    );
    return tell(await loadProxyPolicies(database, params.id), 'Policy assigned');
  }),

  bind(removeProxyPolicy, async (call) => {
    const { params } = call;
    await changeAssignments(database, call, 'policy.unassigned', async (transaction) => {
      if (await removeAssignment(transaction, params.id, params.policyName)) return;
      throw new GatewayError('not_found', {
        message: `Proxy ${params.id} has no policy ${JSON.stringify(params.policyName)}`,
      });
    });
    return { data: await loadProxyPolicies(database, params.id), message: 'Policy removed' };
  }),
];

/** Changes the policies of a proxy, with the list before and after as evidence. */
async function changeAssignments(
  database: Database,
  call: AuditedCall & { readonly params: { readonly id: number } },
  event: AuditEventType,
  change: (transaction: { readonly kysely: Transaction<Tables> }) => Promise<unknown>,
): Promise<void> {
  const { id } = call.params;
  await audited(
    database,
    call,
    async (transaction) => {
      const [proxy, before] = [await findProxy(transaction, id), await loadPolicyNames(transaction, id)];
      await change(transaction);
      return { proxy, before, after: await loadPolicyNames(transaction, id) };
    },
    ({ proxy, before, after }) =>
      proxy && {
        event,
        resource: proxyResource(proxy),
        before: { policy_names: before },
        after: { policy_names: after },
      },
  ).catch((error: unknown) => refuseUnknownProxy(error, id));
}

async function loadProxyPolicies(database: Database, proxyId: number): Promise<ProxyPolicies> {
  if ((await findProxy(database, proxyId)) === undefined) throw unknownProxy(proxyId);
  const assigned = (await listAssignments(database, [proxyId])).map(({ policy_name: name }) => name);
  const policies = await listPolicySummaries(database);
  const known = new Set(policies.map(({ name }) => name));
  return {
    assigned_policies: assigned,
    unknown_policies: assigned.filter((name) => !known.has(name)),
    available_policies: policies.map((policy) => ({ ...policy, assigned: assigned.includes(policy.name) })),
  };
}

/** An assignment of a name that no policy has is kept, and said. */
const tell = (data: ProxyPolicies, done: string) => {
  const unknown = data.unknown_policies.map((name) => JSON.stringify(name)).join(', ');
  return { data, message: unknown === '' ? done : `${done}; no policy is named ${unknown}` };
};

function refuseUnknownProxy(error: unknown, proxyId: number): never {
  throw violatedConstraint(error, 'foreign key') === undefined ? error : unknownProxy(proxyId);
}
