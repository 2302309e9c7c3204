import {
  addProxyPolicy,
  listProxyPolicies,
  putProxyPolicies,
  removeProxyPolicy,
  replaceProxyPolicies,
  type ProxyPolicies,
} from '@portcullis/contracts/routes/proxy-policies';
import type { AuditEventType } from '@portcullis/contracts/audit-events';
import type { Tables } from '@portcullis/platform/database/tables';
import type { Transaction } from 'kysely';
import { audited, type AuditedCall } from '@portcullis/platform/audit/audited';
import { proxyResource } from './proxy-state.ts';
import type { Database, Queryable } from '@portcullis/platform/database/database';
import { violatedConstraint } from '@portcullis/platform/database/violated-constraint';
import { bind, type BoundRoute, type Call } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import {
  addAssignment,
  listAssignments,
  listPolicySummaries,
  removeAssignment,
  replaceAssignments,
  type Assignment,
} from './proxy-policy-queries.ts';
import { checkPolicyNamesOrThrow, listPolicyIds, listPolicyNames } from '../policies/check-policy-names.ts';
import { unknownPolicyName } from '../policies/save-policy.ts';
import { findProxyOrThrow, unknownProxy } from './proxy-problems.ts';
import { findProxy } from './proxy-queries.ts';

export const proxyPolicyRoutes = (database: Database): BoundRoute[] => [
  bind(listProxyPolicies, async ({ params }) => ({ data: await loadProxyPolicies(database, params.id) })),

  bind(replaceProxyPolicies, (call) => replaceAll(database, call)),
  bind(putProxyPolicies, (call) => replaceAll(database, call)),

  bind(addProxyPolicy, async (call) => {
    const { params, body } = call;
    await changeAssignments(database, call, 'policy.assigned', async (transaction) => {
      const known = await listPolicyNames(transaction);
      const isKnown = known.has(params.policyName) || (await listPolicyIds(transaction)).has(params.policyName);
      if (!isKnown) {
        const assigned = await listAssignments(transaction, [params.id]);
        if (!assigned.some(({ policy_name: name }) => name === params.policyName))
          throw unknownPolicyName(params.policyName, known);
      }
      await addAssignment(transaction, params.id, params.policyName, body.mode);
    });
    return respond(await loadProxyPolicies(database, params.id), 'Policy assigned');
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

async function replaceAll(
  database: Database,
  call: AuditedCall & Pick<Call<(typeof replaceProxyPolicies)['parts']>, 'params' | 'body'>,
) {
  const { params, body } = call;
  const names = (body.policy_names ?? body.policies)?.map(String);
  if (names === undefined) {
    throw new GatewayError('bad_request', { problems: [{ path: '/body/policy_names', rule: 'is required' }] });
  }
  await changeAssignments(database, call, 'policy.bulk.assigned', async (transaction) => {
    const kept = (await listAssignments(transaction, [params.id])).map(({ policy_name: name }) => name);
    const path = body.policy_names === undefined ? '/body/policies' : '/body/policy_names';
    await checkPolicyNamesOrThrow(transaction, names, { path, kept });
    await replaceAssignments(transaction.kysely, params.id, names);
  });
  return respond(await loadProxyPolicies(database, params.id), 'Policies assigned');
}

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
      const [proxy, before] = [await findProxy(transaction, id), await loadAssigned(transaction, id)];
      await change(transaction);
      return { proxy, before, after: await loadAssigned(transaction, id) };
    },
    ({ proxy, before, after }) =>
      proxy && {
        event:
          event === 'policy.assigned' && before.names.length === after.names.length
            ? 'policy.assignment.updated'
            : event,
        resource: proxyResource(proxy),
        before: { policy_names: before.names, shadow: before.shadow },
        after: { policy_names: after.names, shadow: after.shadow },
      },
  ).catch((error: unknown) => refuseUnknownProxy(error, id));
}

async function loadProxyPolicies(database: Database, proxyId: number): Promise<ProxyPolicies> {
  await findProxyOrThrow(database, proxyId);
  const assignments = await listAssignments(database, [proxyId]);
  const modes = new Map(assignments.map(({ policy_name: name, mode }) => [name, mode]));
  const policies = await listPolicySummaries(database);
  const known = new Set(policies.map(({ name }) => name));
  return {
    assigned_policies: [...modes.keys()],
    unknown_policies: [...modes.keys()].filter((name) => !known.has(name)),
    available_policies: policies.map((policy) => ({
      ...policy,
      assigned: modes.has(policy.name),
      mode: modes.get(policy.name) ?? null,
    })),
  };
}

/** An assignment of a name that no policy has is kept, and said. */
const respond = (data: ProxyPolicies, done: string) => {
  const unknown = data.unknown_policies.map((name) => JSON.stringify(name)).join(', ');
  return { data, message: unknown === '' ? done : `${done}; no policy is named ${unknown}` };
};

/** The assigned policies in order, and which of them are in shadow mode. */
async function loadAssigned(transaction: Queryable, proxyId: number) {
  const assignments = await listAssignments(transaction, [proxyId]);
  const nameOf = ({ policy_name: name }: Assignment): string => name;
  return { names: assignments.map(nameOf), shadow: assignments.filter(({ mode }) => mode === 'shadow').map(nameOf) };
}

function refuseUnknownProxy(error: unknown, proxyId: number): never {
  throw violatedConstraint(error, 'foreign key') === undefined ? error : unknownProxy(proxyId);
}
